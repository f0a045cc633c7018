import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHunk } from './find-hunk.ts'

const diff = `diff --git a/total.js b/sum.js
similarity index 90%
rename from total.js
rename to sum.js
--- a/total.js
+++ b/sum.js
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
@@ -10,2 +10,4 @@ function sum
 ten
+@@ -1 +1 @@
+--- a/x
 eleven
diff --git a/gone b/gone
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-gone
\\ No newline at end of file
`

test('a line of a file is shown with its hunk up to there', () => {
  const head = { path: 'sum.js', side: 'head' } as const
  assert.equal(findHunk(diff, { ...head, line: 2 }), '@@ -1,3 +1,3 @@\n one\n-two\n+zwei')
  assert.equal(findHunk(diff, { ...head, line: 12 }), '@@ -10,2 +10,4 @@ function sum\n ten\n+@@ -1 +1 @@\n+--- a/x')
  assert.equal(findHunk(diff, { path: 'total.js', side: 'base', line: 2 }), '@@ -1,3 +1,3 @@\n one\n-two')
  assert.equal(findHunk(diff, { path: 'gone', side: 'base', line: 1 }), '@@ -1 +0,0 @@\n-gone')
})

test('a line that the diff does not show has none', () => {
  assert.equal(findHunk(diff, { path: 'sum.js', side: 'head', line: 7 }), null)
  assert.equal(findHunk(diff, { path: 'total.js', side: 'head', line: 2 }), null)
  assert.equal(findHunk(diff, { path: 'x', side: 'base', line: 1 }), null)
  assert.equal(findHunk('', { path: 'sum.js', side: 'head', line: 1 }), null)
})
