/**
 * Holds the session of a process with the database and renews the leases of its workers, in a thread that does nothing else. One session
 * and one statement serve all of them, however many they are.
 */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '#base/limits.ts'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import { pause } from '#base/concurrency/pause.ts'
import { splitHosts } from '#base/network/database-hosts.ts'
import { openWorkerSession, type WorkerSession } from '#domain/runs/workers/open-worker-session.ts'
import { registerWorker } from '#domain/runs/workers/register-worker.ts'
import { renewWorkers } from '#domain/runs/workers/renew-workers.ts'
import { unregisterWorker } from '#domain/runs/workers/unregister-worker.ts'
import {
  openBeat,
  openLeaseClock,
  type FromLeaseThread,
  type LeaseClock,
  type LeaseThreadData,
  type ToLeaseThread,
} from './lease-clock.ts'

type Member = { clock: LeaseClock; workerId: number | undefined }

const { databaseUrl, beatMemory } = workerData as LeaseThreadData
const processBeat = openBeat(beatMemory)
const port = parentPort!
const send = (message: FromLeaseThread) => port.postMessage(message)
const end = new AbortController()
const members = new Map<number, Member>()
const inTurn = keyedMutex()
let session: Promise<WorkerSession> | undefined

port.on('message', (message: ToLeaseThread) => {
  if (message.kind === 'open') void open(message)
  else if (message.kind === 'close') void close(message.key)
  else end.abort()
})

let beat = processBeat.read()
for (let unchanged = 0; !end.signal.aborted;) {
  await pause(limits.leaseRenewMs, end.signal)
  if (end.signal.aborted) break
  unchanged = processBeat.read() === beat ? unchanged + 1 : 0
  beat = processBeat.read()
  if (unchanged * limits.leaseRenewMs > limits.frozenMs) endProcess()
  await renew()
}
await endSession()
port.close()

async function open({ key, registration, memory }: Extract<ToLeaseThread, { kind: 'open' }>): Promise<void> {
  const member: Member = { clock: openLeaseClock(memory), workerId: undefined }
  members.set(key, member)
  try {
    const opened = (session ??= connect())
    const { db } = await opened
    // One after the other, so that a thousand that come at once do not keep the renewal of those that are there waiting.
    const workerId = await inTurn('register', undefined, () => registerWorker(db, registration))
    if (session !== opened) throw new Error('the session with the database has ended')
    member.workerId = workerId
    member.clock.markRenewed()
    send({ kind: 'registered', key, workerId })
  } catch (error) {
    members.delete(key)
    send({ kind: 'failed', key, message: (error as Error).message })
  }
}

/** The worker is told when the others can see that it has ended. */
async function close(key: number): Promise<void> {
  const workerId = members.get(key)?.workerId
  members.delete(key)
  await unlock(workerId)
  send({ kind: 'ended', key })
}

/** Where the session is gone, so is the lock. */
async function unlock(workerId: number | undefined): Promise<void> {
  const db = (await session?.catch(() => undefined))?.db
  if (db && workerId !== undefined) await unregisterWorker(db, { workerId }).catch(() => {})
}

/** No answer is not yet the end, but past the lease others take the runs, whether we know it or not. */
async function renew(): Promise<void> {
  const held = [...members].filter(([, { workerId }]) => workerId !== undefined)
  const db = (await session?.catch(() => undefined))?.db
  if (!held.length) return
  const workerIds = held.map(([, { workerId }]) => workerId!)
  const renewed = db && (await renewWorkers(db, { workerIds }).catch(() => undefined))
  for (const [key, { clock, workerId }] of held) {
    if (renewed?.has(workerId!)) clock.markRenewed()
    const isOver = renewed ? !renewed.has(workerId!) : clock.msSinceRenewed() > limits.leaseMs
    if (!isOver || !members.delete(key)) continue
    send({ kind: 'ended', key })
    void unlock(workerId)
  }
}

/** The thread knows nothing of which host took writes before it began, so each may be tried. */
async function connect(): Promise<WorkerSession> {
  for (let left = splitHosts(databaseUrl).length; ; left--) {
    const lost = new AbortController()
    try {
      const opened = await openWorkerSession({
        databaseUrl,
        onWake: (wake) => send({ kind: 'wake', wake }),
        onLost: () => lost.abort(),
      })
      lost.signal.addEventListener('abort', lose)
      if (lost.signal.aborted) lose()
      return opened
    } catch (error) {
      if (left > 1) continue
      session = undefined
      throw error
    }
  }
}

/** All whom the session held have ended with it. Those that were about to be registered fail by themselves. */
function lose(): void {
  for (const [key, { workerId }] of members) {
    if (workerId === undefined) continue
    members.delete(key)
    send({ kind: 'ended', key })
  }
  void endSession()
}

async function endSession(): Promise<void> {
  const over = session
  session = undefined
  await (await over?.catch(() => undefined))?.[Symbol.asyncDispose]()
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
