import type { Wake } from '#domain/accounts/organizations/wake-workers.ts'
import type { RegisterWorker } from '#domain/runs/workers/register-worker.ts'

export type LeaseThreadData = { databaseUrl: string; beatMemory: SharedArrayBuffer }
/** `key` is the number by which a process and its lease thread know a worker. */
export type ToLeaseThread =
  | { kind: 'open'; key: number; registration: RegisterWorker; memory: SharedArrayBuffer }
  | { kind: 'close'; key: number }
  | { kind: 'end' }
export type FromLeaseThread =
  | { kind: 'registered'; key: number; workerId: number }
  /** It could not be registered. */
  | { kind: 'failed'; key: number; message: string }
  /** Its lease or the session has ended, or it was closed. */
  | { kind: 'ended'; key: number }
  | { kind: 'wake'; wake: Wake }

/** When a lease was last renewed, known to both threads without a message, which only a loop that runs would read. */
export type LeaseClock = { markRenewed(): void; msSinceRenewed(): number }

/** That the event loop of the process runs. */
export type Beat = { beat(): void; read(): bigint }

export const makeCell = () => new SharedArrayBuffer(8)

export function openLeaseClock(memory: SharedArrayBuffer): LeaseClock {
  const cell = new BigInt64Array(memory)
  const now = () => process.hrtime.bigint()
  return {
    markRenewed: () => void Atomics.store(cell, 0, now()),
    msSinceRenewed: () => Number(now() - Atomics.load(cell, 0)) / 1e6,
  }
}

export function openBeat(memory: SharedArrayBuffer): Beat {
  const cell = new BigInt64Array(memory)
  return {
    beat: () => void Atomics.add(cell, 0, 1n),
    read: () => Atomics.load(cell, 0),
  }
}
