import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { one } from '#db/pool.ts'
import { commitTo } from '#test/commit-to.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { deletePullBranch } from './delete-pull-branch.ts'
import { mergePull } from './merge-pull.ts'
import { openPull } from './open-pull.ts'

const testing = await testApp()
const { app, ask } = testing

const ids = (world: World) => ({ organizationId: world.organizationId, pullId: world.ids.pr_id! })
const remove = (world: World) => deletePullBranch(app.pool, { ...ids(world), hosts: app.hosts, userId: world.userId })
const branches = (world: World) =>
  execFileSync('git', [`--git-dir=${world.repository}`, 'for-each-ref', '--format=%(refname:short)', 'refs/heads'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
const refusal = (words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'conflict' && words.test(error.message)

async function merged(): Promise<World> {
  const world = await makeWorld(testing)
  const at = app.clock.now()
  await mergePull(app.pool, { ...ids(world), hosts: app.hosts, method: 'squash', expectedHead: null, userId: null, at })
  return world
}

test('deletes the branch once, says who and when, and the changes stay readable', async () => {
  const world = await merged()
  const path = `${world.path}/prs/${world.ids.pr_id}`
  const before = await ask(`${path}/diff`, { token: world.token })
  const { body } = await ask(`${path}/branch`, { method: 'DELETE', token: world.token })
  assert.partialDeepStrictEqual(body, { merged: true, branch_deleted_by: world.userId })
  assert.deepEqual(branches(world), ['main'])
  assert.equal((await remove(world)).branchDeletedAt?.toISOString(), body.branch_deleted_at)
  assert.equal((await ask(`${path}/diff`, { token: world.token })).text, before.text)
  const report = `select count(*) as n from host_events where organization_id = $1 and event->>'type' = 'push' and event->>'after' is null`
  assert.equal((await one<{ n: number }>(app.pool, report, [world.organizationId])).n, 1)
})

test('a branch that somebody else has deleted counts as deleted', async () => {
  const world = await merged()
  execFileSync('git', [`--git-dir=${world.repository}`, 'update-ref', '-d', `refs/heads/${world.word}`])
  assert.ok((await remove(world)).branchDeletedAt)
})

test('keeps a branch that has moved, that is not merged, or that an open pull request needs', async () => {
  const open = await makeWorld(testing)
  await assert.rejects(remove(open), refusal(/is not merged/))
  const moved = await merged()
  commitTo(moved.repository, { branch: moved.word, files: { more: 'more' } })
  await assert.rejects(remove(moved), refusal(/has moved since/))
  const needed = await merged()
  const headCommit = commitTo(needed.repository, { branch: 'onward', from: needed.word, files: { more: 'more' } })
  const { organizationId, ids: of } = needed
  await openPull(app.pool, {
    organizationId,
    repoId: of.repo_id!,
    runId: null,
    title: 'Onward',
    body: '',
    headBranch: 'onward',
    baseBranch: needed.word,
    headCommit,
    publicUrl: '',
  })
  await assert.rejects(remove(needed), refusal(/number \d+ is open and needs/))
  for (const world of [open, moved, needed]) assert.ok(branches(world).includes(world.word))
})

test('keeps the default branch', async () => {
  const world = await merged()
  await app.pool.query('update repos set default_branch = $2 where organization_id = $1', [
    world.organizationId,
    world.word,
  ])
  await assert.rejects(remove(world), refusal(/is of the default branch/))
  assert.ok(branches(world).includes(world.word))
})
