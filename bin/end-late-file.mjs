// Ends a test file that waits for what never comes. The time limits of its tests do not: they hold for a test that has begun, and a
// server that listens keeps the process alive before and after.
import { isMainThread } from 'node:worker_threads'

const minutesMax = process.argv[1]?.endsWith('.slow.ts') ? 20 : 12

function end() {
  const kept = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(
    `${process.argv[1]} has not ended after ${minutesMax} minutes. Still open: ${kept || 'nothing'}.\n`,
  )
  process.exit(1)
}

if (isMainThread) setTimeout(end, minutesMax * 60_000).unref()
