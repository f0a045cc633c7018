import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostPull } from '#base/hosts/host-facts.ts'
import { one } from '#db/pool.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { mergePull } from './merge-pull.ts'
import type { PullForge } from './pull-hosts.ts'
import { revertPull } from './revert-pull.ts'
import { updatePull } from './update-pull.ts'

const testing = await testApp()
const { app } = testing

/** The world's pull request, as if another host had it, which keeps it in memory and counts its merges. */
async function makeElsewhere() {
  const world = await makeWorld(testing)
  const { organizationId } = world
  const pullId = world.ids.pr_id!
  await app.pool.query(`update repos set host = 'github' where organization_id = $1`, [organizationId])
  const { head, number } = await one<{ head: string; number: number }>(
    app.pool,
    `update pulls set url = 'https://host.test/1' where organization_id = $1 and id = $2 returning head_commit as head, number`,
    [organizationId, pullId],
  )
  let at = Date.now()
  const report: HostPull = {
    number,
    url: 'https://host.test/1',
    title: world.word,
    body: '',
    state: 'open',
    draft: false,
    merged: false,
    author: null,
    head: { branch: world.word, commit: head, isFromFork: false },
    base: { branch: 'main' },
    mergeCommit: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  }
  const change = (changes: Partial<HostPull>) => Object.assign(report, changes, { updatedAt: new Date(++at) })
  let merges = 0
  let reverts = 0
  const forge: PullForge = {
    getPull: async () => ({ ...report }),
    updatePull: async (_, __, { state, title }) => {
      if (title === 'Forbidden') throw new Error('Not yours to edit.')
      return { ...change({ ...(title && { title }), ...(state === 'closed' && { state }), draft: state === 'draft' }) }
    },
    mergePull: async (_, __, { expectedHead }) => {
      if (expectedHead !== report.head.commit) throw new Error('The head has moved.')
      merges++
      change({ merged: true, state: 'closed', mergeCommit: 'c'.repeat(40) })
      return { commit: 'c'.repeat(40) }
    },
    revertPull: async (_, reverted, { title, body }) => {
      const head = { ...report.head, branch: `revert-${reverted}-${++reverts}` }
      return { ...report, number: report.number + 100 + reverts, title, body, head, state: 'open', merged: false }
    },
  }
  const ids = { organizationId, pullId, hosts: { ...app.hosts, forge: () => forge } }
  return { world, ids, merges: () => merges }
}

const nothing = { title: undefined, body: undefined, state: undefined }

test('a pull request of another host is changed there, and our row follows', async () => {
  const { ids } = await makeElsewhere()
  const changed = await updatePull(app.pool, { ...ids, ...nothing, title: 'Better', state: 'draft' })
  assert.partialDeepStrictEqual(changed, { title: 'Better', draft: true, state: 'open', url: 'https://host.test/1' })
  await assert.rejects(updatePull(app.pool, { ...ids, ...nothing, title: 'Forbidden' }), /Not yours to edit/)
})

test('it is merged there, once however often that is asked', async () => {
  const { world, ids, merges } = await makeElsewhere()
  const request = { ...ids, method: 'squash' as const, expectedHead: null, userId: world.userId, at: new Date() }
  await assert.rejects(mergePull(app.pool, { ...request, expectedHead: '0'.repeat(40) }), /head has moved/)
  for (let n = 0; n < 2; n++)
    assert.partialDeepStrictEqual(await mergePull(app.pool, request), { merged: true, mergeCommit: 'c'.repeat(40) })
  assert.equal(merges(), 1)
})

test('it is reverted there, and of several who ask at once all are answered the one that counts', async () => {
  const { world, ids } = await makeElsewhere()
  const request = { ...ids, userId: world.userId, publicUrl: 'https://runwright.test', at: new Date() }
  await assert.rejects(revertPull(app.pool, request), /is not merged/)
  await mergePull(app.pool, { ...request, method: 'merge', expectedHead: null })
  const opened = await Promise.all([revertPull(app.pool, request), revertPull(app.pool, request)])
  assert.partialDeepStrictEqual(opened[0], { title: `Revert "${world.word}"`, reverts: ids.pullId, state: 'open' })
  assert.equal(new Set(opened.map(({ id }) => id)).size, 1)
  assert.equal((await revertPull(app.pool, request)).id, opened[0].id)
})

test('what another host refuses is told to whoever asked, and is no fault of ours', async () => {
  const { world } = await makeElsewhere()
  // Nobody has connected it.
  await app.pool.query(
    `update repos set path = organization_id || '/github-' || id || '.git' where organization_id = $1`,
    [world.organizationId],
  )
  const ask = (path: string, method: string, body: object) =>
    testing.ask(`${world.path}/prs/${world.ids.pr_id}${path}`, { method, token: world.token, body })
  const changed = await ask('', 'PATCH', { state: 'closed' })
  assert.equal(changed.status, 200)
  assert.partialDeepStrictEqual(changed.body, { success: false, state: 'open', url: 'https://host.test/1' })
  assert.ok(changed.body.error)
  assert.equal((await ask('/merge', 'POST', {})).status, 409)
})
