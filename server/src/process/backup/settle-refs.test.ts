import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createRepository } from '#adapters/codehosts/local/create-repository.ts'
import { one } from '#db/pool.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { commitTo } from '#test/commit-to.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { readRefs, type Refs } from '#adapters/codehosts/local/read-refs.ts'
import { settleRefs } from './settle-refs.ts'

const db = await testDb()
const git = await testFolder()
const branch = 'agent/work'

/** A repository in which a run works on its branch, and the moment before the snapshot. */
async function makeScene() {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const repo = await createRepo(db, { organizationId, admin: openLocalHost({ folder: git }), name: 'web' })
  const repository = path.join(git, repo.path)
  const start = commitTo(repository, { branch: 'main', files: { a: '1' } })
  const { run, holder } = await makeHeldRun(db, { organizationId, userId, repoId: repo.id })
  await db.query('update runs set branch = $2, base_commit = $3 where id = $1', [run.id, branch, start])
  const { since } = await one<{ since: Date }>(db, 'select clock_timestamp() as since')
  const before = await readRefs(repository, new AbortController().signal)
  const settle = async (was: Refs | null = before) => {
    const client = await db.connect()
    try {
      const after = await readRefs(repository, new AbortController().signal)
      const signal = new AbortController().signal
      return (await settleRefs(client, { repository, path: repo.path, before: was, after, since, signal })).at
    } finally {
      client.release()
    }
  }
  const push = (text: string) => commitTo(repository, { branch, from: 'main', files: { b: text } })
  const intend = (commit: string, expected: string | null = null) =>
    intendEffect(db, { holder, key: `push:${commit}`, kind: 'push', request: { branch, commit, expected } })
  const settled = (commit: string) =>
    db.query(
      `update effects set state = 'done', result = $2, settled_at = clock_timestamp() where run_id = $1 and key = $3`,
      [run.id, { commit }, `push:${commit}`],
    )
  const moveTo = (name: string, commit: string) =>
    execFileSync('git', [`--git-dir=${repository}`, 'update-ref', name, commit])
  return { organizationId, repo, run, repository, start, before, settle, push, intend, settled, moveTo }
}

const ref = `refs/heads/${branch}`
const main = 'refs/heads/main'

test('what did not move is where it was', async () => {
  const { settle, before } = await makeScene()
  assert.deepEqual(await settle(), before.at)
})

test("a run's push of which the snapshot has the intention has happened; of one that was intended later it has not", async () => {
  const scene = await makeScene()
  const commit = scene.push('1')
  assert.equal((await scene.settle()).get(ref), undefined)
  await scene.intend(commit)
  assert.equal((await scene.settle()).get(ref), commit)
  await scene.settled(commit)
  assert.equal((await scene.settle()).get(ref), commit)
})

test('of two pushes of which the snapshot knows the first the branch is at the first', async () => {
  const scene = await makeScene()
  const first = scene.push('1')
  await scene.intend(first)
  await scene.settled(first)
  const second = commitTo(scene.repository, { branch, files: { b: '2' } })
  assert.equal((await scene.settle()).get(ref), first)
  // And where the second one has dropped the first.
  scene.moveTo(ref, scene.start)
  assert.equal((await scene.settle()).get(ref), first)
  scene.moveTo(ref, second)
  await scene.intend(second, first)
  assert.equal((await scene.settle()).get(ref), second)
})

test('what a run had pushed before is not put in the place of what others pushed since', async () => {
  const scene = await makeScene()
  const own = scene.push('1')
  await scene.intend(own)
  await scene.settled(own)
  const theirs = commitTo(scene.repository, { branch, files: { c: 'by hand' } })
  const before = await readRefs(scene.repository, new AbortController().signal)
  await db.query(`update effects set settled_at = settled_at - interval '1 hour' where run_id = $1`, [scene.run.id])
  commitTo(scene.repository, { branch, files: { c: 'again' } })
  assert.equal((await scene.settle(before)).get(ref), theirs)
})

test('a merge that the snapshot knows of has moved the base branch, any other has not', async () => {
  const scene = await makeScene()
  const merged = commitTo(scene.repository, { branch: 'main', files: { a: '2' } })
  assert.equal((await scene.settle()).get(main), scene.start)
  await db.query(
    `insert into pulls (organization_id, repo_id, number, title, body, head_branch, base_branch, head_commit, merge_commit)
     values ($1, $2, 1, '', '', $3, 'main', $4, $5)`,
    [scene.organizationId, scene.repo.id, branch, scene.start, merged],
  )
  assert.equal((await scene.settle()).get(main), merged)
  commitTo(scene.repository, { branch: 'main', files: { a: '3' } })
  assert.equal((await scene.settle()).get(main), merged)
})

test('a branch that was deleted meanwhile is there, and one that was made is not', async () => {
  const scene = await makeScene()
  scene.moveTo('refs/heads/old', scene.start)
  const before = await readRefs(scene.repository, new AbortController().signal)
  execFileSync('git', [`--git-dir=${scene.repository}`, 'update-ref', '-d', 'refs/heads/old'])
  scene.moveTo('refs/heads/new', scene.start)
  const settled = await scene.settle(before)
  assert.deepEqual([settled.has('refs/heads/old'), settled.has('refs/heads/new')], [true, false])
})

test("a repository that came in meanwhile has all its branches, without what its runs' pushes came to later", async () => {
  const scene = await makeScene()
  scene.push('1')
  const settled = await scene.settle(null)
  assert.deepEqual([...settled.keys()], [main])
})

test('a mirror is as it is: its host has the truth', async () => {
  const place = '1/github-5.git'
  await createRepository(git, { organizationId: 1, path: place }, 'main')
  mkdirSync(path.join(git, place), { recursive: true })
  const commit = commitTo(path.join(git, place), { branch: 'main', files: { a: '1' } })
  const signal = new AbortController().signal
  const after = await readRefs(path.join(git, place), signal)
  const client = await db.connect()
  const before: Refs = { head: 'main', at: new Map() }
  const settled = await settleRefs(client, {
    repository: path.join(git, place),
    path: place,
    before,
    after,
    since: new Date(),
    signal,
  })
  client.release()
  assert.equal(settled.at.get(main), commit)
})
