import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDiff, type DiffFile } from '#ui/read-diff.ts'
import { addLines } from './add-lines.ts'

/** Line 11 is one more than before; line 31 is another one. */
const [file] = readDiff(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -8,6 +8,7 @@ function a()
 8
 9
 10
+new
 11
 12
 13
@@ -27,7 +28,7 @@
 27
 28
 29
-30
+thirty
 31
 32
 33
`) as [DiffFile]

const known = (...numbers: number[]) => new Map(numbers.map((n) => [n, `now ${n}`]))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const shape = ({ hunks, end }: ReturnType<typeof addLines>) => ({
  hunks: hunks.map(({ before, after, lines, gap }) => [before, after, lines.length, gap && [gap.from, gap.to]]),
  end: end && [end.from, end.to],
})

test('what is left out is said, above, between and below what changed', () => {
  assert.deepEqual(shape(addLines(file, new Map(), null)), {
    hunks: [
      [8, 8, 7, [1, 7]],
      [27, 28, 8, [15, 27]],
    ],
    end: [35, null],
  })
})

test('lines that are known join the hunk that they follow or lead to, with the numbers of both sides', () => {
  const added = addLines(file, known(6, 7, 15, 16, 27, 35), 40)
  assert.deepEqual(shape(added), {
    hunks: [
      [6, 6, 11, [1, 5]],
      [26, 27, 10, [17, 26]],
    ],
    end: [36, 40],
  })
  const [first, second] = added.hunks
  assert.partialDeepStrictEqual(first!.lines.at(-1), {
    before: 15,
    after: 16,
    text: 'now 16',
    sign: ' ',
    isExtra: true,
  })
  assert.partialDeepStrictEqual(second!.lines[0], { before: 26, after: 27 })
})

test('hunks with nothing between them are one, and a file that is known to its end has no more', () => {
  const added = addLines(file, known(...range(1, 7), ...range(15, 27), ...range(35, 40)), 40)
  assert.deepEqual(shape(added), { hunks: [[1, 1, 41, undefined]], end: undefined })
  const numbers = added.hunks[0]!.lines.flatMap(({ after }) => after ?? [])
  assert.deepEqual(numbers, range(1, 40))
})

test('a change at the end of a file has nothing below', () => {
  const [atEnd] = readDiff('diff --git a/a b/a\n@@ -8,2 +8,3 @@\n 8\n 9\n+10\n') as [DiffFile]
  assert.equal(addLines(atEnd, new Map(), null).end, undefined)
})

test('where a diff was cut, the file goes on without numbers of before', () => {
  const [cut] = readDiff('diff --git a/a b/a\n@@ -8,9 +8,9 @@\n 8\n 9\n+10\n[cut: the diff is longer]\n') as [DiffFile]
  assert.deepEqual(shape(addLines(cut, new Map(), null)), {
    hunks: [
      [8, 8, 3, [1, 7]],
      [10, 11, 0, undefined],
    ],
    end: [11, null],
  })
  const { hunks, end } = addLines(cut, known(11, 12), 20)
  assert.deepEqual(end, { from: 13, to: 20 })
  assert.deepEqual(
    hunks[1]!.lines.map(({ before, after }) => [before, after]),
    [
      [null, 11],
      [null, 12],
    ],
  )
  assert.equal(addLines(cut, known(...range(11, 20)), 20).end, undefined)
})

test('lines in the middle of what is left out stand by themselves', () => {
  assert.deepEqual(shape(addLines(file, known(3, 4, 20, 50), 60)), {
    hunks: [
      [3, 3, 2, [1, 2]],
      [8, 8, 7, [5, 7]],
      [19, 20, 1, [15, 19]],
      [27, 28, 8, [21, 27]],
      [49, 50, 1, [35, 49]],
    ],
    end: [51, 60],
  })
})
