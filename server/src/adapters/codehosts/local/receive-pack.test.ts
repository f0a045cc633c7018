import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { makeWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { openLocalHost } from './local.ts'
const repo = { organizationId: 7, path: '7/12.git' }
const MiB = 1024 * 1024
const BLOB = 3
const REF_DELTA = 7

async function openHost() {
  const folder = path.join(await testFolder(), 'repos')
  const host = openLocalHost({ folder })
  await host.createRepository(repo, { defaultBranch: 'main' })
  const push = (commit: string, pack: Readable) =>
    host.push(repo, { branch: 'agent/1', expected: null, commit, pack, stillAllowed: async () => true })
  return { host, push, objects: path.join(folder, repo.path, 'objects') }
}

/** Seven bits a byte, the least first; with `first` bits in the first one. */
function varint(number: number, kind?: number): number[] {
  const bytes: number[] = []
  let [rest, next] = kind === undefined ? [number, 0] : [Math.floor(number / 16), (kind << 4) | (number & 15)]
  if (kind === undefined) {
    next = rest % 128
    rest = Math.floor(rest / 128)
  }
  for (; rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(next | 128)
    next = rest % 128
  }
  return [...bytes, next]
}

const entry = (kind: number, content: Buffer, base = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from(varint(content.length, kind)), base, deflateSync(content)])

function packOf(...entries: Buffer[]): Readable {
  const head = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, entries.length])])
  const body = Buffer.concat([head, ...entries])
  return Readable.from([Buffer.concat([body, createHash('sha1').update(body).digest()])])
}

/** A few kilobytes that say: this, again and again, until it is as large as this. */
function bombOf(bytes: number): Readable {
  const base = Buffer.alloc(16 * MiB - 1)
  const id = createHash('sha1').update(`blob ${base.length}\0`).update(base).digest()
  const copies = Math.ceil(bytes / base.length)
  const copy = [0b1111_0000, 0xff, 0xff, 0xff]
  const delta = Buffer.from([
    ...varint(base.length),
    ...varint(copies * base.length),
    ...Array.from({ length: copies }, () => copy).flat(),
  ])
  return packOf(entry(BLOB, base), entry(REF_DELTA, delta, id))
}

test('a small pack that unpacks to more than the memory of the machine is refused', async () => {
  const { push, objects } = await openHost()
  const refused = await push('1'.repeat(40), bombOf(3 * 1024 * MiB))
  assert.partialDeepStrictEqual(refused, { pushed: false, reason: 'bad_pack' })
  assert.match(refused.pushed ? '' : refused.message, /more memory/)
  assert.deepEqual(await readdir(path.join(objects, 'pack')).catch(() => []), [])
})

test('the same in a size that fits is no harm, and lacks the commit', async () => {
  const { push } = await openHost()
  const refused = await push('1'.repeat(40), bombOf(64 * MiB))
  assert.match(refused.pushed ? '' : refused.message, /does not hold 1111/)
})

/** A tree in which each folder holds the next one sixteen times. */
async function makeForest(tree: WorkTree, depth: number): Promise<string> {
  let [line, kind] = ['100644 blob', await tree.git('hash-object', '-w', 'README.md')]
  for (let level = 0; level < depth; level++) {
    const lines = Array.from({ length: 16 }, (_, n) => `${line} ${kind}\tf${n.toString(16)}`).join('\n')
    const mktree = `!printf '%s\\n' '${lines}' | git mktree`
    ;[line, kind] = ['040000 tree', await tree.git('-c', `alias.mk=${mktree}`, 'mk')]
  }
  return kind
}

test('a few small folders that name each other until there are billions of files are refused', async () => {
  const { push } = await openHost()
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'README.md': 'hello\n' })
  const commit = await tree.git('commit-tree', await makeForest(tree, 9), '-p', first, '-m', 'forest')
  const refused = await push(commit, tree.pack(commit))
  assert.partialDeepStrictEqual(refused, { pushed: false, reason: 'too_large' })
  assert.match(refused.pushed ? '' : refused.message, /more files/)
  const grove = await tree.git('commit-tree', await makeForest(tree, 3), '-p', first, '-m', 'grove')
  assert.partialDeepStrictEqual(await push(grove, tree.pack(grove)), { pushed: true })
})

test('a commit keeps what it must hold, and says what it would drop', async () => {
  const { host } = await openHost()
  const tree = await makeWorkTree()
  const theirs = await tree.commit({ a: '1' })
  const move = (branch: string, commit: string, mustHold: string[]) =>
    host.push(repo, {
      branch,
      expected: null,
      commit,
      mustHold,
      pack: tree.pack(commit),
      stillAllowed: async () => true,
    })
  assert.partialDeepStrictEqual(await move('theirs', theirs, []), { pushed: true })
  const onTop = await tree.commit({ b: '2' })
  assert.partialDeepStrictEqual(await move('on-top', onTop, [theirs]), { pushed: true })
  await tree.git('checkout', '--quiet', '--orphan', 'aside')
  const aside = await tree.commit({ c: '3' })
  const dropped = await move('aside', aside, [theirs])
  assert.partialDeepStrictEqual(dropped, { pushed: false, reason: 'drops_work' })
  assert.match(dropped.pushed ? '' : dropped.message, new RegExp(theirs))
  assert.ok(!(await host.mirror(repo)).branches.has('aside'))
})
