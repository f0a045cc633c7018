import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeWorkTree, testFolder } from '#test/test-git.ts'
import type { PushedFile } from '#adapters/codehosts/git-store.ts'
import { openLocalHost } from './local.ts'

const repo = { organizationId: 1, path: '1/1.git' }

/** A repository with files on main, and an agent's work tree beside it. */
async function makeHost() {
  const host = openLocalHost({ folder: await testFolder() })
  await host.createRepository(repo, { defaultBranch: 'main' })
  const tree = await makeWorkTree()
  const base = await tree.commit({ 'a.txt': 'a', 'ci/one.yml': 'one', 'b/c.txt': 'c' })
  const push = (branch: string, commit: string, more: object = {}) =>
    host.push(repo, {
      branch,
      expected: null,
      commit,
      pack: tree.pack(commit),
      protectedBranches: [],
      stillAllowed: async () => true,
      ...more,
    })
  assert.partialDeepStrictEqual(await push('main', base), { pushed: true })
  /** What the host shows to who looks at the files of a push. */
  const shown = async (commit: string, more: object = {}) => {
    let seen: readonly PushedFile[] = []
    const whyNot = (files: readonly PushedFile[]) => {
      seen = files
      return 'no'
    }
    const pushed = await push('work', commit, {
      inspectFiles: { since: { branch: 'main', commit: base }, whyNot },
      ...more,
    })
    assert.deepEqual(pushed, { pushed: false, reason: 'needs_person', message: 'no' })
    assert.equal((await host.mirror(repo)).branches.get('work'), undefined)
    return seen
  }
  return { tree, base, push, shown }
}

test('whoever looks at a push is shown each file that it changes, with its size, and may refuse', async () => {
  const { tree, push, base, shown } = await makeHost()
  await tree.git('mv', 'ci/one.yml', 'moved.yml')
  await tree.git('rm', '-q', 'b/c.txt')
  const commit = await tree.commit({ 'a.txt': 'longer', 'new\nfile "é"': '12345' })
  assert.deepEqual(await shown(commit), [
    { path: 'a.txt', bytes: 6 },
    { path: 'b/c.txt', bytes: 0 },
    { path: 'ci/one.yml', bytes: 0 },
    { path: 'moved.yml', bytes: 3 },
    { path: 'new\nfile "é"', bytes: 5 },
  ])
  const inspectFiles = { since: { branch: 'main', commit: base }, whyNot: () => null }
  assert.partialDeepStrictEqual(await push('work', commit, { inspectFiles }), { pushed: true })
})

test('what the branch has taken over from its base since is not its own change', async () => {
  const { tree, base, push, shown } = await makeHost()
  const work = await tree.commit({ 'a.txt': 'mine' })
  await tree.git('checkout', '-q', '-b', 'newer', base)
  const newer = await tree.commit({ 'ci/one.yml': 'two' })
  assert.partialDeepStrictEqual(await push('main', newer, { expected: base }), { pushed: true })
  await tree.git('merge', '-q', '-m', 'take over', work)
  assert.deepEqual(await shown(await tree.git('rev-parse', 'HEAD')), [{ path: 'a.txt', bytes: 4 }])
  // What is put back to how it was before is a change.
  await tree.git('checkout', '-q', '-B', 'back', newer)
  assert.deepEqual(await shown(await tree.commit({ 'ci/one.yml': 'one' })), [{ path: 'ci/one.yml', bytes: 3 }])
})

test('what others have pushed to the branch is theirs, until it is changed again', async () => {
  const { tree, shown } = await makeHost()
  const theirs = await tree.commit({ 'ci/one.yml': 'by a person', 'ci/two.yml': 'too' })
  const onTop = await tree.commit({ 'a.txt': 'mine' })
  assert.deepEqual(await shown(onTop, { mustHold: [theirs] }), [{ path: 'a.txt', bytes: 4 }])
  const changed = await tree.commit({ 'ci/two.yml': 'mine' })
  assert.deepEqual(await shown(changed, { mustHold: [theirs] }), [
    { path: 'a.txt', bytes: 4 },
    { path: 'ci/two.yml', bytes: 4 },
  ])
})

test('of work that shares nothing with its base everything is new', async () => {
  const { tree, shown } = await makeHost()
  await tree.git('checkout', '-q', '--orphan', 'fresh')
  const commit = await tree.commit({ 'a.txt': 'b' })
  assert.deepEqual(
    (await shown(commit)).map(({ path }) => path),
    ['a.txt', 'b/c.txt', 'ci/one.yml'],
  )
})
