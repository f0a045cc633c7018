// Preloaded into every node process of a test run: ends a process that hangs.
import { isMainThread, Worker } from 'node:worker_threads'

// This runs in the project's process, not in ours.
// oxlint-disable-next-line node/no-process-env
const { RUNWRIGHT_STUCK_MS: stuckMs } = process.env

// An endless loop also stops the timers of node's test runner, so another thread has to look.
if (stuckMs && isMainThread) {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beats, 0, 1), Math.min(100, Number(stuckMs) / 10)).unref()
  const watch = new Worker(
    `const { beats, stuckMs } = require('node:worker_threads').workerData
     let seen = 0, seenAt = Date.now()
     setInterval(() => {
       const now = Date.now()
       if (beats[0] !== seen) { seen = beats[0]; seenAt = now }
       if (now - seenAt > stuckMs) process.kill(process.pid, 'SIGKILL')
     }, 100)`,
    { eval: true, env: {}, execArgv: [], workerData: { beats, stuckMs: Number(stuckMs) } },
  )
  watch.unref()
}
