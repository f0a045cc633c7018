import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readDiffLines } from './read-diff-lines.ts'

/** What git itself says of two states of a folder. */
function diffOf(before: Record<string, string>, after: Record<string, string>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-diff-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder, encoding: 'utf8' })
  try {
    git('init', '-q')
    for (const files of [before, after]) {
      git('rm', '-rqf', '--ignore-unmatch', '.')
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
      git('add', '.')
      git('commit', '-q', '--allow-empty', '-m', 'x')
    }
    return git('diff', 'HEAD~1', 'HEAD')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

test('knows the lines that a diff shows, by file and side', () => {
  const diff = diffOf(
    { 'long.txt': lines(30), gone: 'a\n' },
    { 'long.txt': lines(30).replace('line 20\n', 'new\nnewer\n'), 'ä b"c': '--- a/trap\n+++ b/trap\n@@ -1 +1 @@' },
  )
  const shown = readDiffLines(diff)
  assert.deepEqual([...shown.keys()].sort(), ['gone', 'long.txt', 'ä b"c'])
  assert.deepEqual([...shown.get('long.txt')!.base], [17, 18, 19, 20, 21, 22, 23])
  assert.deepEqual([...shown.get('long.txt')!.head], [17, 18, 19, 20, 21, 22, 23, 24])
  assert.deepEqual([...shown.get('ä b"c')!.head], [1, 2, 3])
  assert.deepEqual([...shown.get('gone')!.base], [1])
})

test('a diff that is cut, or none at all, shows what is there', () => {
  assert.equal(readDiffLines('').size, 0)
  assert.equal(readDiffLines('Binary files a/x and b/x differ\n').size, 0)
  const cut = diffOf({ a: lines(3) }, { a: `${lines(3)}more\n` })
    .split('\n')
    .slice(0, 7)
    .join('\n')
  assert.ok(readDiffLines(cut).get('a')!.head.has(1))
})
