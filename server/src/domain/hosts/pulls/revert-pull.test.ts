import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { rows } from '#db/pool.ts'
import { commitTo } from '#test/commit-to.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { getPull } from './get-pull.ts'
import { mergePull } from './merge-pull.ts'
import type { MergeMethod } from './pull-hosts.ts'
import { revertPull } from './revert-pull.ts'

const testing = await testApp()
const { app } = testing
const at = new Date('2026-01-01T00:00:00Z')

const ids = (world: World) => ({ organizationId: world.organizationId, pullId: world.ids.pr_id! })
const merge = (world: World, method: MergeMethod = 'merge', pullId = world.ids.pr_id!) =>
  mergePull(app.pool, { ...ids(world), pullId, hosts: app.hosts, method, expectedHead: null, userId: world.userId, at })
const revert = (world: World) =>
  revertPull(app.pool, {
    ...ids(world),
    hosts: app.hosts,
    userId: world.userId,
    publicUrl: 'https://runwright.test',
    at,
  })
const git = (world: World, ...words: string[]) =>
  execFileSync('git', [`--git-dir=${world.repository}`, ...words], { encoding: 'utf8' }).trim()
const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && words.test(error.message)

for (const method of ['merge', 'squash', 'rebase'] as const)
  test(`opens a pull request that takes back what a ${method} brought, and nothing that came later`, async () => {
    const world = await makeWorld(testing)
    commitTo(world.repository, { branch: world.word, files: { second: 'second' } })
    await merge(world, method)
    const main = commitTo(world.repository, { branch: 'main', files: { later: 'later' } })
    const pull = await revert(world)
    const name = `revert-1-${world.word}`
    assert.partialDeepStrictEqual(pull, {
      state: 'open',
      title: `Revert "${world.word}"`,
      runId: null,
      headBranch: name,
    })
    assert.equal(pull.reverts, world.ids.pr_id)
    assert.match(pull.body, /^Reverts #1: https:/)
    assert.equal(git(world, 'rev-parse', name), pull.headCommit)
    assert.equal(git(world, 'rev-parse', `${name}^`), main)
    assert.equal(git(world, 'ls-tree', '--name-only', name), 'later\nread.me')
    assert.match(
      git(world, 'log', '-1', '--format=%B', name),
      /^Revert ".*"\n\nThis reverts https:.*, merged as [0-9a-f]{40}\.$/,
    )
    await merge(world, 'merge', pull.id)
    assert.equal(git(world, 'ls-tree', '--name-only', 'main'), 'later\nread.me')
    const reverted = await getPull(app.pool, ids(world))
    assert.partialDeepStrictEqual(reverted.revert, { id: pull.id, number: pull.number, merged: true })
    await assert.rejects(revert(world), refusal('conflict', new RegExp(`was reverted by number ${pull.number}`)))
  })

test('opens one, however many ask at once, and leaves no branch of the others', async () => {
  const world = await makeWorld(testing)
  await merge(world)
  const pulls = await Promise.all([1, 2, 3, 4].map(() => revert(world)))
  assert.equal(new Set(pulls.map(({ id }) => id)).size, 1)
  assert.equal(git(world, 'for-each-ref', '--format=x', 'refs/heads/revert-*/', 'refs/heads/revert-*'), 'x')
  assert.equal((await revert(world)).id, pulls[0]!.id)
  const report = await rows<{ n: number }>(
    app.pool,
    `select 1 as n from host_events where organization_id = $1 and event->>'type' = 'pull' and event->>'action' = 'opened'
       and (event->>'number')::int = $2`,
    [world.organizationId, pulls[0]!.number],
  )
  assert.equal(report.length, 1)
})

test('a revert that was closed can be made again, on another branch', async () => {
  const world = await makeWorld(testing)
  await merge(world)
  const first = await revert(world)
  await app.pool.query(`update pulls set state = 'closed' where organization_id = $1 and id = $2`, [
    world.organizationId,
    first.id,
  ])
  const second = await revert(world)
  assert.equal(second.headBranch, `${first.headBranch}-2`)
  assert.equal((await getPull(app.pool, ids(world))).revert?.id, second.id)
})

test('refuses where there is nothing to revert, and names the files of a conflict', async () => {
  const open = await makeWorld(testing)
  await assert.rejects(revert(open), refusal('conflict', /is not merged/))
  const changed = await makeWorld(testing)
  await merge(changed)
  commitTo(changed.repository, { branch: 'main', files: { [changed.word]: 'another' } })
  await assert.rejects(revert(changed), refusal('merge_conflict', new RegExp(changed.word)))
  const gone = await makeWorld(testing)
  const before = git(gone, 'rev-parse', 'main')
  await merge(gone)
  git(gone, 'update-ref', 'refs/heads/main', before)
  await assert.rejects(revert(gone), refusal('conflict', /has left nothing on main to revert/))
  for (const world of [open, changed, gone])
    assert.equal(git(world, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/revert-*'), '')
})
