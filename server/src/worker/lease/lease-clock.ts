import type { Wake } from '#domain/accounts/organizations/wake-workers.ts'
import type { RegisterWorker } from '#domain/runs/workers/register-worker.ts'

export type Registration = Omit<RegisterWorker, 'onWake' | 'onLost'>
export type LeaseThreadData = { registration: Registration; memory: SharedArrayBuffer }

export type FromLeaseThread =
  | { kind: 'registered'; workerId: number }
  | { kind: 'wake'; wake: Wake }
  /** There was no session. */
  | { kind: 'failed'; message: string }

/** What a process and its lease thread know of each other without a message, which only a loop that runs would read. */
export type LeaseClock = {
  /** When the lease was last renewed; of a clock that both threads share. */
  markRenewed(): void
  msSinceRenewed(): number
  /** That the event loop of the process runs. */
  beat(): void
  readBeat(): bigint
}

export const leaseMemoryBytes = 16

export function openLeaseClock(memory: SharedArrayBuffer): LeaseClock {
  const cells = new BigInt64Array(memory)
  const now = () => process.hrtime.bigint()
  return {
    markRenewed: () => void Atomics.store(cells, 0, now()),
    msSinceRenewed: () => Number(now() - Atomics.load(cells, 0)) / 1e6,
    beat: () => void Atomics.add(cells, 1, 1n),
    readBeat: () => Atomics.load(cells, 1),
  }
}
