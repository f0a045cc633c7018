import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { one } from '#db/pool.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { getPull } from './get-pull.ts'
import { listPullsOfRun } from './list-pulls-of-run.ts'
import { openPull, type OpenPull } from './open-pull.ts'
import { recordPullHeads } from './record-pull-heads.ts'

const db = await testDb()
const [commit, later] = ['a'.repeat(40), 'b'.repeat(40)]

async function makeWanted(organizationId: number): Promise<OpenPull> {
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const words = { title: 'Fix it', body: 'Why', headBranch: 'agent/1', baseBranch: 'main', headCommit: commit }
  return { organizationId, repoId, runId: 5, ...words, publicUrl: 'https://run.test' }
}

test('opens pull requests, counted for each repository', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const [first, second] = [await makeWanted(organizationId), await makeWanted(organizationId)]
  const { pull, created } = await openPull(db, first)
  assert.equal(created, true)
  assert.equal(pull.url, `https://run.test/organizations/${organizationId}/repos/${first.repoId}/pulls/1`)
  const { url: _, ...stored } = pull
  const { publicUrl: __, ...request } = first
  assert.partialDeepStrictEqual(stored, { ...request, number: 1, state: 'open', merged: false })
  assert.deepEqual(await getPull(db, { organizationId, pullId: pull.id }), { ...stored, url: null })
  assert.equal((await openPull(db, { ...first, headBranch: 'agent/2' })).pull.number, 2)
  assert.equal((await openPull(db, second)).pull.number, 1)
})

test('finds the open one of a branch, which moves on to the commit and keeps its words', async () => {
  const request = await makeWanted((await makeOrganization(db)).id)
  const { pull } = await openPull(db, request)
  const again = await openPull(db, { ...request, title: 'Another', headCommit: later })
  assert.deepEqual(again, { pull: { ...pull, headCommit: later }, created: false })
})

test('opens a new one once the first is closed', async () => {
  const request = await makeWanted((await makeOrganization(db)).id)
  const { pull } = await openPull(db, request)
  await db.query(`update pulls set state = 'closed' where id = $1`, [pull.id])
  const { pull: next, created } = await openPull(db, request)
  assert.deepEqual([next.number, created], [2, true])
})

test('opens one when many ask at once, and numbers without a gap', async () => {
  const request = await makeWanted((await makeOrganization(db)).id)
  const same = await Promise.all([1, 2, 3, 4].map(() => openPull(db, request)))
  assert.deepEqual(same.map(({ created }) => created).filter(Boolean), [true])
  const branches = ['b', 'c', 'd', 'e'].map((headBranch) => openPull(db, { ...request, headBranch }))
  const numbers = (await Promise.all(branches)).map(({ pull }) => pull.number)
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    [2, 3, 4, 5],
  )
})

test('lists what a run has opened, and follows pushes to its branch while open', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const request = await makeWanted(organizationId)
  const { pull: closed } = await openPull(db, request)
  await db.query(`update pulls set state = 'closed' where id = $1`, [closed.id])
  await openPull(db, request)
  await openPull(db, { ...request, runId: 6, headBranch: 'agent/6' })
  const { repoId } = request
  await recordPullHeads(db, {
    organizationId,
    repoId,
    updates: [
      { branch: 'agent/1', commit: later },
      { branch: 'agent/6', commit: null },
    ],
  })
  const heads = async (runId: number) =>
    (await listPullsOfRun(db, { organizationId, runId })).map((pull) => pull.headCommit)
  assert.deepEqual([await heads(5), await heads(6)], [[commit, later], [commit]])
})

test("answers not found for another organization's repository and pull request", async () => {
  const [{ id: organizationId }, other] = [await makeOrganization(db), await makeOrganization(db)]
  const request = await makeWanted(organizationId)
  const { pull } = await openPull(db, request)
  const refusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
  await assert.rejects(openPull(db, { ...request, organizationId: other.id }), refusal('repo_not_found'))
  await assert.rejects(getPull(db, { organizationId: other.id, pullId: pull.id }), refusal('pull_not_found'))
  assert.deepEqual(await listPullsOfRun(db, { organizationId: other.id, runId: 5 }), [])
})
