// Leaves out a test file for which there is no time any more, and ends one that waits for what never comes. The time limits of
// its tests do not: they hold for a test that has begun, and a server that listens keeps the process alive before and after.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

const { RUNWRIGHT_TEST_UNTIL: until, RUNWRIGHT_TEST_LEFT_OUT: leftOut } = process.env
if (isMainThread && until !== undefined && leftOut !== undefined && Date.now() > Number(until) * 1_000) {
  appendFileSync(leftOut, `${path.relative('.', process.argv[1])}\n`)
  process.exit(0)
}

const minutesMax = process.argv[1]?.endsWith('.slow.ts') ? 20 : 12

function end() {
  const kept = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(
    `${process.argv[1]} has not ended after ${minutesMax} minutes. Still open: ${kept || 'nothing'}.\n`,
  )
  process.exit(1)
}

if (isMainThread) setTimeout(end, minutesMax * 60_000).unref()
