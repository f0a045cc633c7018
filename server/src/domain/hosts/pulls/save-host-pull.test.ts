import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostPull } from '#base/hosts/host-facts.ts'
import { one } from '#db/pool.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { pullUrl } from './pull.ts'
import { recordPullHeads } from './record-pull-heads.ts'
import { saveHostPull } from './save-host-pull.ts'

const db = await testDb()
const [commit, later] = ['a'.repeat(40), 'b'.repeat(40)]

async function makeRepo() {
  const { id: organizationId } = await makeOrganization(db)
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'github', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  return { organizationId, repoId }
}

const report = (more: Partial<HostPull> = {}): HostPull => ({
  number: 7,
  url: 'https://host.test/pull/7',
  title: 'Fix it',
  body: '',
  state: 'open',
  draft: false,
  merged: false,
  author: { hostUserId: '5', login: 'ada', isBot: false },
  head: { branch: 'fix', commit, isFromFork: false },
  base: { branch: 'main' },
  mergeCommit: null,
  createdAt: new Date('2026-01-01'),
  updatedAt: new Date('2026-01-02'),
  ...more,
})

test('knows a pull request of another host by its number there, with its address and author', async () => {
  const repo = await makeRepo()
  const first = await saveHostPull(db, { ...repo, pull: report() })
  assert.partialDeepStrictEqual(first, { number: 7, headCommit: commit, author: { login: 'ada' }, state: 'open' })
  assert.equal(pullUrl('https://run.test', first), 'https://host.test/pull/7')
  const moved = report({ head: { branch: 'fix', commit: later, isFromFork: false }, updatedAt: new Date('2026-01-03') })
  const second = await saveHostPull(db, { ...repo, pull: moved, runId: 4 })
  assert.partialDeepStrictEqual(second, { id: first.id, headCommit: later, runId: 4 })
})

test('what was read earlier and comes later takes nothing back', async () => {
  const repo = await makeRepo()
  await saveHostPull(db, { ...repo, pull: report({ state: 'closed', merged: true, mergeCommit: later }) })
  const late = await saveHostPull(db, { ...repo, pull: report({ updatedAt: new Date('2026-01-01') }) })
  assert.partialDeepStrictEqual(late, { state: 'closed', merged: true, mergeCommit: later })
  assert.deepEqual(late.mergedAt, new Date('2026-01-02'))
})

test('one branch may have several open, and a push here moves none of a fork', async () => {
  const repo = await makeRepo()
  const ours = await saveHostPull(db, { ...repo, pull: report() })
  await saveHostPull(db, { ...repo, pull: report({ number: 8, base: { branch: 'next' } }) })
  const fork = report({ number: 9, head: { branch: 'fix', commit, isFromFork: true } })
  await saveHostPull(db, { ...repo, pull: fork })
  await recordPullHeads(db, { ...repo, updates: [{ branch: 'fix', commit: later }] })
  const heads = await db.query('select head_commit as head from pulls where organization_id = $1 order by number', [
    ours.organizationId,
  ])
  assert.deepEqual(heads.rows, [{ head: later }, { head: later }, { head: commit }])
})
