import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { makeUser } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { areChangesRequested } from './are-changes-requested.ts'
import { saveReview } from './save-review.ts'

const testing = await testApp()
const { pool: db, publicUrl } = testing.app

type By = { userId: number | null; runId: number | null }

test('the last word of each person counts, and that of an agent for the head that it has seen', async () => {
  const world = await makeWorld(testing)
  const { organizationId, ids } = world
  const place = { organizationId, pullId: ids.pr_id! }
  const { headCommit } = await getPull(db, place)
  const person: By = { userId: (await makeUser(db, { organizationId, role: 'MEMBER' })).id, runId: null }
  const agent: By = { userId: null, runId: ids.agent_run_id! }
  let reviews = 0
  const review = async (by: By, verdict: 'approve' | 'request_changes' | 'comment', commit = headCommit) => {
    const words = { body: '', comments: [], url: null, marker: `word-${++reviews}`, publicUrl }
    await saveReview(db, { ...place, ...by, verdict, headCommit: commit, ...words })
    return areChangesRequested(db, { ...place, headCommit })
  }
  assert.equal(await areChangesRequested(db, { ...place, headCommit }), false)
  assert.equal(await review(agent, 'request_changes', '0'.repeat(40)), false)
  assert.equal(await review(person, 'request_changes', '0'.repeat(40)), true)
  assert.equal(await review(person, 'comment'), true)
  assert.equal(await review(person, 'approve'), false)
  assert.equal(await review(agent, 'request_changes'), true)
  assert.equal(await review(agent, 'approve'), false)
})
