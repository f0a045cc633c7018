import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { makeWorkTree } from '#test/test-git.ts'
import { listLfsFiles } from './list-lfs-files.ts'

const pointer = (oid: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`

test('pointers are found by what files hold, and only where attributes speak of Git LFS', async () => {
  const tree = await makeWorkTree()
  const git = path.join(tree.folder, '.git')
  const files = {
    'a.bin': pointer('a'.repeat(64), 7),
    'b.bin': `${pointer('b'.repeat(64), 7)}x`,
    'c.txt': 'c'.repeat(150),
  }
  const plain = await tree.commit(files)
  assert.equal(await listLfsFiles(git, { commit: plain }), null)
  const commit = await tree.commit({ 'deep/.gitattributes': '*.bin filter=lfs\n' })
  assert.deepEqual(await listLfsFiles(git, { commit }), [{ oid: 'a'.repeat(64), bytes: 7, path: 'a.bin' }])
})

test('many pointers are read in less than a tenth of what a program for each would take', async () => {
  const tree = await makeWorkTree()
  const count = 20_000
  const feed = spawn('git', ['-c', 'core.compression=0', 'fast-import', '--quiet', '--depth=0'], { cwd: tree.folder })
  const lines = [
    'commit refs/heads/main',
    'committer A <a@b> 1 +0000',
    'data 0',
    '',
    'M 644 inline .gitattributes',
    'data 13',
    '* filter=lfs\n',
  ]
  for (let n = 0; n < count; n++) {
    const text = pointer(n.toString(16).padStart(64, '0'), 10 * 2 ** 40)
    lines.push(`M 644 inline ${n % 100}/${n}.bin`, `data ${text.length}`, text)
  }
  feed.stdin.end(`${lines.join('\n')}\n`)
  const [code] = (await once(feed, 'exit')) as [number]
  assert.equal(code, 0)
  const startMs = await timeStarts(20)
  const begun = performance.now()
  const found = await listLfsFiles(path.join(tree.folder, '.git'), { commit: await tree.git('rev-parse', 'main') })
  assert.equal(found?.length, count)
  const tookMs = performance.now() - begun
  assert.ok(tookMs < (count / 10) * startMs, `${tookMs} ms; a start takes ${startMs} ms`)
})

/** How long it takes here and now to start a program, on average. */
async function timeStarts(count: number): Promise<number> {
  const begun = performance.now()
  for (let n = 0; n < count; n++) await once(spawn('git', ['--version'], { stdio: 'ignore' }), 'exit')
  return (performance.now() - begun) / count
}
