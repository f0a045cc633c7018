import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { bootId } from '#base/temporary-folder.ts'
import { makeWorkTree, testFolder } from '#test/test-git.ts'
import { makeQuarantine } from './quarantine.ts'
import { openLocalHost } from './local.ts'
const repo = { organizationId: 7, path: '7/12.git' }

test('makes a repository once, however often and at once it is asked', async () => {
  const folder = path.join(await testFolder(), 'repos')
  const host = openLocalHost({ folder })
  await Promise.all([1, 2, 3].map(() => host.createRepository(repo, { defaultBranch: 'main' })))
  await host.createRepository({ ...repo, path: '7/run-3.git' }, { defaultBranch: 'main' })
  assert.deepEqual(await readdir(path.join(folder, '7')), ['12.git', 'run-3.git'])
  await host.removeRepository(repo)
  await host.removeRepository(repo)
  assert.deepEqual(await readdir(path.join(folder, '7')), ['run-3.git'])
})

test('takes away what a process that died left behind, and nothing that is at work', async () => {
  const folder = path.join(await testFolder(), 'repos')
  const host = openLocalHost({ folder })
  const inside = path.join(folder, '7')
  for (const name of ['.new-dead', '.new-alive', '.other']) await mkdir(path.join(inside, name), { recursive: true })
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000)
  for (const name of ['.new-dead', '.other']) await utimes(path.join(inside, name), yesterday, yesterday)
  await host.createRepository(repo, { defaultBranch: 'main' })
  assert.deepEqual(await readdir(inside), ['.new-alive', '.other', '12.git'])
})

test('takes away what a killed process has left of a push, and nothing of one that is under way', async () => {
  const folder = await testFolder()
  const host = openLocalHost({ folder })
  await host.sweep()
  const underWay = await makeQuarantine(path.join(folder, repo.path))
  const incoming = path.dirname(underWay)
  for (const name of [`${bootId()}.${process.pid}.1.left`, 'of-another-machine.1.1.left'])
    await mkdir(path.join(incoming, name))
  await host.sweep()
  assert.deepEqual((await readdir(incoming)).sort(), [path.basename(underWay), 'of-another-machine.1.1.left'].sort())
})

test('keeps what lies there over a restart', async () => {
  const folder = path.join(await testFolder(), 'repos')
  const tree = await makeWorkTree()
  const commit = await tree.commit({ a: '1' })
  const first = openLocalHost({ folder })
  await first.createRepository(repo, { defaultBranch: 'main' })
  const push = { branch: 'agent/1', expected: null, commit, pack: tree.pack(commit), stillAllowed: async () => true }
  assert.partialDeepStrictEqual(await first.push(repo, push), { pushed: true })
  const { branches } = await openLocalHost({ folder }).mirror(repo)
  assert.deepEqual([...branches], [['agent/1', commit]])
})

test('lets nobody else read the repositories', async () => {
  const folder = path.join(await testFolder(), 'repos')
  openLocalHost({ folder })
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
})

const skip = process.getuid?.() === 0 ? false : 'only root can hand a folder to a group'

test('lets the sandbox alone read the objects, whatever mask the service was started with', { skip }, async () => {
  const outer = await testFolder()
  await chmod(outer, 0o711)
  const mask = process.umask(0o077)
  try {
    const host = openLocalHost({ folder: path.join(outer, 'repos'), readableBy: { gid: 64_900 } })
    await host.createRepository(repo, { defaultBranch: 'main' })
    const tree = await makeWorkTree()
    const commit = await tree.commit({ 'a/b': '1' })
    const push = { branch: 'agent/1', expected: null, commit, pack: tree.pack(commit), stillAllowed: async () => true }
    assert.partialDeepStrictEqual(await host.push(repo, push), { pushed: true })
    const { objectsPath } = await host.mirror(repo)
    const readAs = (id: number) => spawnSync('cat', [path.join(objectsPath, 'pack', pack)], { uid: id, gid: id }).status
    const pack = (await readdir(path.join(objectsPath, 'pack'))).find((name) => name.endsWith('.pack')) as string
    const writeAs = (id: number) => spawnSync('touch', [path.join(objectsPath, 'x')], { uid: id, gid: id }).status
    assert.deepEqual([readAs(64_900), readAs(65_534)], [0, 1])
    assert.equal(writeAs(64_900), 1)
  } finally {
    process.umask(mask)
  }
})

test('names the language that most of the work is written in', async () => {
  const host = openLocalHost({ folder: path.join(await testFolder(), 'repos') })
  await host.createRepository(repo, { defaultBranch: 'agent/1' })
  assert.equal(await host.languageOf(repo), null)
  const tree = await makeWorkTree()
  const foreign = {
    'node_modules/a/index.js': 'x'.repeat(9_000),
    'app.min.js': 'x'.repeat(9_000),
    'data.json': 'x'.repeat(9_000),
  }
  const commit = await tree.commit({ 'src/ü main.rs': 'x'.repeat(200), 'tool.py': 'x'.repeat(100), ...foreign })
  const push = { branch: 'agent/1', expected: null, commit, pack: tree.pack(commit), stillAllowed: async () => true }
  assert.partialDeepStrictEqual(await host.push(repo, { ...push, protectedBranches: [] }), { pushed: true })
  assert.equal(await host.languageOf(repo), 'Rust')
})
