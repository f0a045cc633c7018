/** Holds a worker's session with the database and renews its lease, in a thread that does nothing else. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '#base/limits.ts'
import { pause } from '#base/concurrency/pause.ts'
import { splitHosts } from '#base/network/database-hosts.ts'
import { registerWorker, type WorkerSession } from '#domain/runs/workers/register-worker.ts'
import { openLeaseClock, type FromLeaseThread, type LeaseThreadData } from './lease-clock.ts'

const { registration, memory } = workerData as LeaseThreadData
const clock = openLeaseClock(memory)
const port = parentPort!
const send = (message: FromLeaseThread) => port.postMessage(message)
const life = new AbortController()
port.on('message', () => life.abort())

try {
  await using session = await register()
  clock.markRenewed()
  send({ kind: 'registered', workerId: session.workerId })
  let beat = clock.readBeat()
  for (let unchanged = 0; !life.signal.aborted;) {
    await pause(limits.leaseRenewMs, life.signal)
    if (life.signal.aborted) break
    unchanged = clock.readBeat() === beat ? unchanged + 1 : 0
    beat = clock.readBeat()
    if (unchanged * limits.leaseRenewMs > limits.frozenMs) endProcess()
    const isRenewed = await session.renew().catch(() => undefined)
    if (isRenewed) clock.markRenewed()
    // No answer is not yet the end, but past the lease others take the runs, whether we know it or not.
    if (isRenewed === false || clock.msSinceRenewed() > limits.leaseMs) life.abort()
  }
} catch (error) {
  send({ kind: 'failed', message: (error as Error).message })
}
port.close()

/** The thread knows nothing of which host took writes before it began, so each may be tried. */
async function register(): Promise<WorkerSession> {
  for (let left = splitHosts(registration.databaseUrl).length; ; left--) {
    const lost = new AbortController()
    try {
      const session = await registerWorker({
        ...registration,
        onWake: (wake) => send({ kind: 'wake', wake }),
        onLost: () => lost.abort(),
      })
      lost.signal.addEventListener('abort', () => life.abort())
      if (lost.signal.aborted) life.abort()
      return session
    } catch (error) {
      if (left === 1) throw error
    }
  }
}

/** The event loop of the process has stood still for so long that only its end helps; others take over its runs. */
function endProcess(): void {
  const line = {
    level: 'fatal',
    time: new Date().toISOString(),
    event: 'process_frozen',
    msg: 'the event loop stands still; the process ends',
  }
  writeSync(2, `${JSON.stringify(line)}\n`)
  process.kill(process.pid, 'SIGKILL')
}
