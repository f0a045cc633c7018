import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { App } from '#app/app.ts'
import { one, rows } from '#db/pool.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { finishPullReview } from './finish-pull-review.ts'
import type { FinishTask } from './finisher.ts'

const testing = await testApp()

test('a worker that dies once the review is posted leaves one review, and one entry that tells of it', async () => {
  const world = await makeWorld(testing)
  const { organizationId, userId } = world
  const { headCommit, id: pullId } = await getPull(testing.app.pool, { organizationId, pullId: world.ids.pr_id! })
  const task = { kind: 'review_pull' as const, pullId, headCommit }
  const { holder } = await makeHeldRun(testing.app.pool, { organizationId, userId, task, repoId: world.ids.repo_id! })
  const app = { ...testing.app, mask: testing.app.redactors.own.mask } as unknown as App
  const createReview: Forge['createReview'] = async (repo, ...options) => {
    await app.hosts.forge(repo).createReview(repo, ...options)
    throw new Error('killed')
  }
  const hosts: App['hosts'] = { ...app.hosts, forge: (repo) => ({ ...app.hosts.forge(repo), createReview }) }
  const answer = { answer: 'It does what it says.', thought: 'Read it.' }
  const options = { holder, task, answer } as unknown as FinishTask<typeof task>
  await assert.rejects(finishPullReview({ ...app, hosts }, options), /killed/)
  for (let n = 0; n < 2; n++) await finishPullReview(app, options)
  const reviews = 'select run_id, body from pull_reviews where organization_id = $1'
  const [review, ...others] = await rows<{ runId: number; body: string }>(app.pool, reviews, [organizationId])
  assert.deepEqual([review?.runId, others], [holder.runId, []])
  assert.match(review!.body, /^It does what it says\./)
  const { body } = await testing.ask(`${world.path}/agent/run/${holder.runId}/logs`, { token: world.token })
  const types = (body.logs as { message_type: string }[]).map(({ message_type }) => message_type)
  assert.deepEqual(types, ['PR_EVALUATION'])
  const effect = await one<{ state: string }>(app.pool, `select state from effects where run_id = $1`, [holder.runId])
  assert.equal(effect.state, 'done')
})
