import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { one } from '#db/pool.ts'
import { commitTo } from '#test/commit-to.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { getPull } from './get-pull.ts'
import { mergePull, type MergePull } from './merge-pull.ts'
import { sweepMerges } from './sweep-merges.ts'

const testing = await testApp()
const { app } = testing
const { admin } = app.hosts

const request = (world: World, more: Partial<MergePull> = {}): MergePull => ({
  organizationId: world.organizationId,
  pullId: world.ids.pr_id!,
  hosts: app.hosts,
  method: 'merge',
  expectedHead: null,
  userId: world.userId,
  at: new Date('2026-01-01T00:00:00Z'),
  ...more,
})
const git = (world: World, ...words: string[]) =>
  execFileSync('git', [`--git-dir=${world.repository}`, ...words], { encoding: 'utf8' }).trim()
const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && words.test(error.message)

test('merges with a commit of two parents, and the run shows it', async () => {
  const world = await makeWorld(testing)
  const before = git(world, 'rev-parse', 'main')
  const pull = await mergePull(app.pool, request(world))
  assert.partialDeepStrictEqual(pull, { merged: true, state: 'closed', mergedBy: world.userId })
  assert.equal(git(world, 'rev-parse', 'main'), pull.mergeCommit)
  assert.equal(git(world, 'log', '-1', '--format=%P', 'main'), `${before} ${pull.headCommit}`)
  assert.equal(git(world, 'show', `main:${world.word}`), world.word)
  const { body } = await testing.ask(`${world.path}/agent/run/${world.ids.agent_run_id}`, { token: world.token })
  const mergedAt = pull.mergedAt?.toISOString()
  assert.partialDeepStrictEqual(body.github_pull_requests, [{ merged: true, state: 'closed', merged_at: mergedAt }])
  const events = `select count(*) as n from events where organization_id = $1 and kind = 'pull.merged'`
  assert.equal((await one<{ n: number }>(app.pool, events, [world.organizationId])).n, 1)
})

test('what it has changed can still be read afterwards', async () => {
  const world = await makeWorld(testing)
  const read = () => testing.ask(`${world.path}/prs/${world.ids.pr_id}/diff`, { token: world.token })
  const before = await read()
  assert.match(before.text, new RegExp(`\\+${world.word}`))
  await mergePull(app.pool, request(world, { method: 'squash' }))
  assert.equal((await read()).text, before.text)
})

test('a squash is one commit, a rebase one for each, with their authors and words', async () => {
  const squashed = await makeWorld(testing)
  commitTo(squashed.repository, { branch: squashed.word, files: { b: 'b\n' } })
  await mergePull(app.pool, request(squashed, { method: 'squash' }))
  assert.equal(git(squashed, 'log', '--format=%s', 'main'), `${squashed.word} (#1)\nWork`)

  const rebased = await makeWorld(testing)
  commitTo(rebased.repository, { branch: rebased.word, files: { b: 'b\n' }, message: 'Zwei: ü' })
  commitTo(rebased.repository, { branch: 'main', files: { c: 'c\n' }, message: 'Meanwhile' })
  await mergePull(app.pool, request(rebased, { method: 'rebase' }))
  assert.equal(git(rebased, 'log', '--format=%s %an %at', 'main').split('\n')[0], 'Zwei: ü Ada 0')
  assert.equal(git(rebased, 'log', '--format=%s', 'main'), 'Zwei: ü\nWork\nMeanwhile\nWork')
  assert.equal(git(rebased, 'ls-tree', '--name-only', 'main').split('\n').length, 4)
  assert.equal(git(rebased, 'fsck', '--strict', '--connectivity-only').includes('error'), false)
})

test('closes the issues that it says it fixes, once and only by a merge into the default branch', async () => {
  const world = await makeWorld(testing)
  const stateOf = async () =>
    (
      await one<{ state: string }>(app.pool, 'select state from issues where organization_id = $1 and number = 2', [
        world.organizationId,
      ])
    ).state
  const { organizationId } = world
  await app.pool.query(`update pulls set body = 'Fixes #2, and #99 too: fixes #99' where organization_id = $1`, [
    organizationId,
  ])
  await app.pool.query(`update repos set default_branch = 'trunk' where organization_id = $1`, [organizationId])
  await mergePull(app.pool, request(world))
  assert.equal(await stateOf(), 'open')
  await app.pool.query(`update repos set default_branch = 'main' where organization_id = $1`, [organizationId])
  commitTo(world.repository, { branch: 'again', from: 'main', files: { again: 'again' } })
  await app.pool.query(
    `update pulls set state = 'open', merged = false, merge_commit = null, merge_base = null, merge_head = null, head_branch = 'again'
     where organization_id = $1`,
    [organizationId],
  )
  await mergePull(app.pool, request(world))
  assert.equal(await stateOf(), 'closed')
  const closings = `select count(*) as n from host_events where organization_id = $1 and event->>'action' = 'closed' and event->>'type' = 'issue'`
  await mergePull(app.pool, request(world))
  assert.equal((await one<{ n: number }>(app.pool, closings, [organizationId])).n, 1)
})

test('names the files of a conflict, by any method, and moves nothing', async () => {
  const world = await makeWorld(testing)
  const base = commitTo(world.repository, { branch: 'main', files: { [world.word]: 'another' } })
  for (const method of ['merge', 'squash', 'rebase'] as const)
    await assert.rejects(
      mergePull(app.pool, request(world, { method })),
      refusal('merge_conflict', new RegExp(world.word)),
    )
  assert.equal(git(world, 'rev-parse', 'main'), base)
})

test('merges once, however many ask at once', async () => {
  const world = await makeWorld(testing)
  const pulls = await Promise.all([1, 2, 3, 4].map(() => mergePull(app.pool, request(world))))
  assert.deepEqual(new Set(pulls.map(({ mergeCommit }) => mergeCommit)), new Set([git(world, 'rev-parse', 'main')]))
  assert.equal(git(world, 'rev-list', '--count', '--merges', 'main'), '1')
})

test('is merged for who asked while somebody else merged it', async () => {
  const world = await makeWorld(testing)
  const prepareMerge: typeof admin.prepareMerge = async (repo, prepared) => {
    await mergePull(app.pool, request(world))
    return admin.prepareMerge(repo, { ...prepared, base: git(world, 'rev-parse', 'main') })
  }
  const hosts = { ...app.hosts, admin: { ...admin, prepareMerge } }
  const pull = await mergePull(app.pool, request(world, { hosts }))
  assert.partialDeepStrictEqual(pull, { merged: true, mergeCommit: git(world, 'rev-parse', 'main') })
})

test('goes on where one that died had begun, before and after the branch moved', async () => {
  for (const hasMoved of [false, true]) {
    const world = await makeWorld(testing)
    const landCommit: typeof admin.landCommit = async (...options) => {
      if (hasMoved) await admin.landCommit(...options)
      throw new Error('killed')
    }
    const hosts = { ...app.hosts, admin: { ...admin, landCommit } }
    await assert.rejects(mergePull(app.pool, request(world, { hosts })), /killed/)
    const { mergeCommit, merged } = await getPull(app.pool, request(world))
    assert.equal(merged, false)
    // Others may have pushed to the base since.
    if (hasMoved) commitTo(world.repository, { branch: 'main', files: { later: 'x' } })
    const pull = await mergePull(app.pool, request(world))
    assert.partialDeepStrictEqual(pull, { merged: true, mergeCommit })
    assert.equal(git(world, 'rev-list', '--count', '--merges', 'main'), '1')
  }
})

test('a merge of which only the row is missing is found, one that never happened is left alone', async () => {
  for (const hasMoved of [false, true]) {
    const world = await makeWorld(testing)
    const landCommit: typeof admin.landCommit = async (...options) => {
      if (hasMoved) await admin.landCommit(...options)
      throw new Error('killed')
    }
    const hosts = { ...app.hosts, admin: { ...admin, landCommit } }
    await assert.rejects(mergePull(app.pool, request(world, { hosts })), /killed/)
    await sweepMerges(app.pool, { hosts: app.hosts })
    assert.equal((await getPull(app.pool, request(world))).merged, false, 'somebody may be at it')
    await sweepMerges(app.pool, { hosts: app.hosts, idleMs: 0 })
    assert.equal((await getPull(app.pool, request(world))).merged, hasMoved)
    assert.equal(git(world, 'rev-list', '--count', '--merges', 'main'), hasMoved ? '1' : '0')
  }
})

test('merges nothing that is closed, a draft, or not what was read', async () => {
  const world = await makeWorld(testing)
  const ask = (body: object) =>
    testing.ask(`${world.path}/prs/${world.ids.pr_id}`, { method: 'PATCH', token: world.token, body })
  assert.equal((await ask({ state: 'draft' })).body.state, 'draft')
  await assert.rejects(mergePull(app.pool, request(world)), refusal('conflict', /draft/))
  assert.equal((await ask({ state: 'ready_for_review' })).body.state, 'open')
  assert.equal((await ask({ state: 'closed' })).body.state, 'closed')
  await assert.rejects(mergePull(app.pool, request(world)), refusal('conflict', /closed/))
  assert.equal((await ask({ state: 'open', title: 'Better' })).body.title, 'Better')
  const { headCommit } = await getPull(app.pool, request(world))
  commitTo(world.repository, { branch: world.word, files: { more: 'x' } })
  await assert.rejects(
    mergePull(app.pool, request(world, { expectedHead: headCommit })),
    refusal('conflict', new RegExp(headCommit)),
  )
})

test('comments stand at lines of files that it changes, and nowhere else', async () => {
  const world = await makeWorld(testing)
  const at = `${world.path}/prs/${world.ids.pr_id}`
  const say = (body: object) => testing.ask(`${at}/comments`, { method: 'POST', token: world.token, body })
  assert.partialDeepStrictEqual((await say({ body: 'Good.' })).body, { body: 'Good.', path: null, line: null })
  const inline = { body: 'Why?', path: world.word, line: 1 }
  assert.partialDeepStrictEqual((await say(inline)).body, { ...inline, side: 'head' })
  assert.equal((await say({ ...inline, path: 'read.me' })).status, 400)
  assert.equal((await say({ body: 'Why?', path: world.word })).status, 400)
  const files = await testing.ask(`${at}/files`, { token: world.token })
  const added = { path: world.word, previous_path: null, status: 'added', additions: 1, deletions: 0 }
  assert.deepEqual(files.body.items, [added])
  const listed = (await testing.ask(`${at}/comments`, { token: world.token })).body.items as { body: string }[]
  assert.deepEqual(
    listed.map(({ body }) => body),
    [world.word, 'Good.', 'Why?'],
  )
})
