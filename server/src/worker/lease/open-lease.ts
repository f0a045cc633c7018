import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { limits } from '#base/limits.ts'
import type { Wake } from '#domain/accounts/organizations/wake-workers.ts'
import {
  leaseMemoryBytes,
  openLeaseClock,
  type FromLeaseThread,
  type LeaseThreadData,
  type Registration,
} from './lease-clock.ts'

export type OpenLease = {
  registration: Registration
  onWake: (wake: Wake) => void
  /** The session or the lease has ended: the others know, and take the runs. */
  onLost: () => void
}

export type WorkerLease = AsyncDisposable & { workerId: number; msSinceRenewed(): number }

/**
 * Makes this process a worker. Its session and its lease are held by a thread of their own: however long the event loop
 * is kept busy by what one run does, no other run is lost for it. Where it stands still for good, the thread ends the
 * process. Rejects when the database cannot be reached.
 */
export async function openLease({ registration, onWake, onLost }: OpenLease): Promise<WorkerLease> {
  const memory = new SharedArrayBuffer(leaseMemoryBytes)
  const workerData: LeaseThreadData = { registration, memory }
  const clock = openLeaseClock(memory)
  const thread = new Thread(new URL('./lease-thread.ts', import.meta.url), { workerData })
  const beating = setInterval(() => clock.beat(), limits.leaseBeatMs)
  const registered = Promise.withResolvers<number>()
  thread.on('message', (message: FromLeaseThread) => {
    if (message.kind === 'registered') registered.resolve(message.workerId)
    else if (message.kind === 'wake') onWake(message.wake)
    else registered.reject(new Error(message.message))
  })
  thread.on('error', (error) => registered.reject(error))
  const ended = once(thread, 'exit').then(() => {
    clearInterval(beating)
    registered.reject(new Error('the lease thread has ended'))
    onLost()
  })
  const workerId = await registered.promise
  return {
    workerId,
    msSinceRenewed: () => clock.msSinceRenewed(),
    [Symbol.asyncDispose]: async () => {
      thread.postMessage('close')
      await ended
    },
  }
}
