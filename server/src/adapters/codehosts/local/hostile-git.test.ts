import assert from 'node:assert/strict'
import { cpSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { makeWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { openLocalHost, type LocalHost } from './local.ts'
const repo = { organizationId: 7, path: '7/12.git' }
const tooLarge = (error: unknown) => error instanceof HostError && error.code === 'too_large'

/** A host with a repository that holds these commits, each on a branch of its name. */
async function holding(tree: WorkTree, branches: Record<string, string>): Promise<LocalHost> {
  const folder = path.join(await testFolder(), 'repos')
  const host = openLocalHost({ folder })
  await host.createRepository(repo, { defaultBranch: 'main' })
  const repository = path.join(folder, repo.path)
  // As they are: to send and unpack them takes as long as all that is tested here.
  cpSync(path.join(tree.folder, '.git/objects'), path.join(repository, 'objects'), { recursive: true })
  for (const [branch, commit] of Object.entries(branches))
    await tree.git(`--git-dir=${repository}`, 'update-ref', `refs/heads/${branch}`, commit)
  return host
}

/** A file of so many bytes that takes up no room. */
function writeSparse(file: string, bytes: number, end: string): void {
  writeFileSync(file, '')
  truncateSync(file, bytes)
  writeFileSync(file, end, { flag: 'a' })
}

/** Long, so that the limit of what is read is soon reached: every name is worked out for each path. */
const bombName = (n: number) => `n${n}-${'x'.repeat(200)}`

/** Folders that name the same folder ten times over, so many levels deep. */
async function makeBomb(tree: WorkTree, levels: number, content = 'boom'): Promise<string> {
  writeFileSync(path.join(tree.folder, 'one'), content)
  let [kind, id] = ['100644 blob', await tree.git('hash-object', '-w', 'one')]
  const list = path.join(tree.folder, 'list')
  for (let level = 0; level < levels; level++) {
    writeFileSync(list, Array.from({ length: 10 }, (_, n) => `${kind} ${id}\t${bombName(n)}\n`).join(''))
    id = await tree.git('-c', `alias.make=!git mktree < ${list}`, 'make')
    kind = '040000 tree'
  }
  return tree.git('commit-tree', id, '-m', 'bomb')
}

test('files of 700 MB that differ in one byte are told as changed, and never read into memory', async () => {
  const tree = await makeWorkTree()
  await tree.git('config', 'core.compression', '1')
  const bytes = 700 * 2 ** 20
  writeSparse(path.join(tree.folder, 'before.bin'), bytes, 'a')
  const base = await tree.commit({ 'small.txt': 'one\n' })
  await tree.git('rm', '--quiet', 'before.bin')
  writeSparse(path.join(tree.folder, 'after.bin'), bytes, 'b')
  const head = await tree.commit({ 'small.txt': 'two\n' })
  const host = await holding(tree, { main: base, work: head })
  const diff = await host.diff(repo, { base, head, bytesMax: 1e6 })
  assert.match(diff, /^Of files beyond 8 MiB no lines are shown/)
  assert.match(diff, /^Binary files \/dev\/null and b\/after\.bin differ$/m)
  assert.match(diff, /^\+two$/m)
  const files = await host.listChangedFiles(repo, { base, head })
  assert.deepEqual(
    files.map(({ path: name, status, additions }) => [name, status, additions]),
    [
      ['after.bin', 'added', null],
      ['before.bin', 'removed', null],
      ['small.txt', 'modified', 1],
    ],
  )
  const merge = { base, head, method: 'squash' as const, message: 'm', by: { name: 'a', email: 'a@b' }, at: new Date() }
  assert.equal((await host.prepareMerge(repo, merge)).outcome, 'ready')
})

test('a line of 50 MB is told as changed, and is no line of the diff', async () => {
  const tree = await makeWorkTree()
  const base = await tree.commit({ 'a.txt': 'x'.repeat(50e6) })
  const head = await tree.commit({ 'a.txt': `${'x'.repeat(50e6)}y` })
  const host = await holding(tree, { main: base, work: head })
  const diff = await host.diff(repo, { base, head, bytesMax: 8e6 })
  assert.ok(diff.length < 1_000)
  assert.match(diff, /^Binary files a\/a\.txt and b\/a\.txt differ$/m)
})

test('folders that name each other ten times over ten levels are refused everywhere, in a sentence', async () => {
  const tree = await makeWorkTree()
  const base = await tree.commit({ 'a.txt': 'a' })
  const [bomb, other] = [await makeBomb(tree, 10), await makeBomb(tree, 10, 'bang')]
  const host = await holding(tree, { main: base, bomb, other })
  for (const from of [base, other]) {
    await assert.rejects(host.diff(repo, { base: from, head: bomb, bytesMax: 1e6 }), tooLarge)
    await assert.rejects(host.listChangedFiles(repo, { base: from, head: bomb }), tooLarge)
  }
  await assert.rejects(host.listFiles(repo, { commit: bomb }), tooLarge)
  assert.equal(await host.readFile(repo, { commit: bomb, path: `${bombName(1)}/${bombName(2)}`, bytesMax: 100 }), null)
  await host.setDefaultBranch(repo, 'bomb')
  assert.equal(await host.languageOf(repo), null)
  const push = { branch: 'agent/1', expected: null, stillAllowed: async () => true }
  const more = await makeBomb(tree, 9, 'more')
  assert.partialDeepStrictEqual(await host.push(repo, { ...push, commit: more, pack: tree.pack(more) }), {
    pushed: false,
    reason: 'too_large',
  })
})

test('attributes, links and submodules that a repository names change nothing about its diff', async () => {
  const tree = await makeWorkTree()
  const attributes = `${Array.from({ length: 20_000 }, (_, n) => `[attr]m${n} m${n + 1}`).join('\n')}\n* m1 diff=evil -text\n*.txt binary\n`
  const base = await tree.commit({
    '.gitattributes': attributes,
    '.gitmodules': '[submodule "a"]\n\tpath = a\n\turl = ../a\n',
    'a.txt': '1\n',
  })
  await tree.git('-c', 'alias.ln=!ln -s loop loop', 'ln')
  const head = await tree.commit({ 'a.txt': '2\n' })
  const host = await holding(tree, { main: base, work: head })
  assert.match(await host.diff(repo, { base, head, bytesMax: 1e6 }), /^\+2$/m)
  assert.deepEqual(
    (await host.listChangedFiles(repo, { base, head })).map(({ path: name }) => name),
    ['a.txt', 'loop'],
  )
})

test('the same difference is worked out once for all who ask for it at once', async () => {
  const tree = await makeWorkTree()
  const base = await tree.commit({ 'a.txt': '1\n' })
  const head = await tree.commit({ 'a.txt': '2\n' })
  const host = await holding(tree, { main: base, work: head })
  const ask = () => host.diff(repo, { base: 'main', head: 'work', bytesMax: 1e6 })
  const all = await Promise.all(Array.from({ length: 20 }, ask))
  assert.equal(new Set(all).size, 1)
  assert.match(all[0]!, /^\+2$/m)
  assert.equal(await ask(), all[0])
})
