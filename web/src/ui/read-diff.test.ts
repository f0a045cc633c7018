import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDiff } from './read-diff.ts'

const diff = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function a()
 one
-return total
+return totals
 three
\\ No newline at end of file
diff --git a/b.png b/b.png
new file mode 100644
Binary files /dev/null and b/b.png differ
`

test('a diff is read file by file, with the numbers of its lines', () => {
  const [code, picture] = readDiff(diff)
  assert.partialDeepStrictEqual(code, { path: 'src/a.ts', added: 1, removed: 1 })
  const [hunk] = code!.hunks
  assert.equal(hunk!.title, 'function a()')
  assert.deepEqual(
    hunk!.lines.map(({ sign, before, after }) => [sign, before, after]),
    [
      [' ', 1, 1],
      ['-', 2, null],
      ['+', null, 2],
      [' ', 3, 3],
    ],
  )
  assert.partialDeepStrictEqual(picture, { path: 'b.png', isBinary: true, hunks: [] })
})

test('in a line that took the place of another, what differs is marked', () => {
  const lines = readDiff(diff)[0]!.hunks[0]!.lines
  assert.deepEqual(lines[1]!.mark, { from: 12, to: 12 })
  assert.deepEqual(lines[2]!.mark, { from: 12, to: 13 })
})

test('a bare hunk is a diff too', () => {
  const [file] = readDiff('@@ -0,0 +1,2 @@\n+a\n+b\n')
  assert.partialDeepStrictEqual(file, { path: '', added: 2, removed: 0 })
})

test('a file that was renamed is known by both its names', () => {
  const [file] = readDiff('diff --git a/old.ts b/src/new.ts\nrename from old.ts\nrename to src/new.ts\n')
  assert.partialDeepStrictEqual(file, { path: 'src/new.ts', pathBefore: 'old.ts' })
})
