import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeComments } from './place-comments.ts'

const diff = `diff --git a/total.js b/total.js
--- a/total.js
+++ b/total.js
@@ -1,3 +1,4 @@
 one
-two
+zwei
+drei
 four
@@ -20,2 +21,2 @@
-x
+y
 z
`
const comment = { path: 'total.js', side: 'head' as const, body: 'Better so.' }

test('a suggestion stands on all lines that it replaces', () => {
  const several = { ...comment, startLine: 2, line: 3, suggestion: 'two\nthree' }
  const one = { ...comment, line: 21, suggestion: '' }
  const placed = placeComments({ body: 'Look.', comments: [several, { ...one, startLine: 21 }], diff })
  assert.deepEqual(placed, { body: 'Look.', comments: [several, one] })
})

test('one for lines that are not all shown is told in words', () => {
  const comments = [
    { ...comment, startLine: 3, line: 21, suggestion: 'a' },
    { ...comment, startLine: 4, line: 2, suggestion: 'b' },
    { ...comment, startLine: 1, line: 1_000_000_000, suggestion: 'c' },
  ]
  const placed = placeComments({ body: 'Look.', comments, diff })
  assert.deepEqual(placed.comments, [
    { ...comment, line: 21, body: 'Better so.\n\n```\na\n```' },
    { ...comment, line: 2, body: 'Better so.\n\n```\nb\n```' },
  ])
  assert.match(placed.body, /does not show:\n\n- `total\.js:1000000000`: Better so\.\n\n```\nc\n```$/)
})
