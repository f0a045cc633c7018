import { Worker as Thread } from 'node:worker_threads'
import { limits } from '#base/limits.ts'
import type { Wake } from '#domain/accounts/organizations/wake-workers.ts'
import type { RegisterWorker } from '#domain/runs/workers/register-worker.ts'
import {
  makeCell,
  openBeat,
  openLeaseClock,
  type FromLeaseThread,
  type LeaseThreadData,
  type ToLeaseThread,
} from './lease-clock.ts'

export type LeasesOptions = { databaseUrl: string; onWake: (wake: Wake) => void }
export type OpenLease = {
  registration: RegisterWorker
  /** The session or the lease has ended: the others know, and take the runs. */
  onLost: () => void
}
export type WorkerLease = AsyncDisposable & { workerId: number; msSinceRenewed(): number }

type Member = { onRegistered: (workerId: number) => void; onFailed: (error: Error) => void; onEnded: () => void }
type Running = { thread: Thread; members: Map<number, Member>; ended: Promise<void> }

/**
 * Makes this process workers, as many as it opens leases. They share one session with the database, held by a thread of its own: however
 * long the event loop is kept busy by what one run does, no other run is lost for it. Where it stands still for good, the thread
 * ends the process. The thread lives as long as there are workers.
 */
export class Leases {
  readonly #options: LeasesOptions
  #running: Running | undefined
  #nextKey = 1

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** Registers a worker. Rejects when the database cannot be reached. */
  async open({ registration, onLost }: OpenLease): Promise<WorkerLease> {
    const running = (this.#running ??= this.#start())
    const key = this.#nextKey++
    const memory = makeCell()
    const registered = Promise.withResolvers<number>()
    const ended = Promise.withResolvers<void>()
    running.members.set(key, {
      onRegistered: registered.resolve,
      onFailed: registered.reject,
      onEnded: () => {
        registered.reject(new Error('the session with the database has ended'))
        ended.resolve()
        onLost()
      },
    })
    tell(running, { kind: 'open', key, registration, memory })
    const leave = async () => {
      running.members.delete(key)
      if (!running.members.size) await this.#end(running)
    }
    try {
      const clock = openLeaseClock(memory)
      return {
        workerId: await registered.promise,
        msSinceRenewed: () => clock.msSinceRenewed(),
        [Symbol.asyncDispose]: async () => {
          tell(running, { kind: 'close', key })
          await ended.promise
          await leave()
        },
      }
    } catch (error) {
      await leave()
      throw error
    }
  }

  #start(): Running {
    const beatMemory = makeCell()
    const beat = openBeat(beatMemory)
    const workerData: LeaseThreadData = { databaseUrl: this.#options.databaseUrl, beatMemory }
    const thread = new Thread(new URL('./lease-thread.ts', import.meta.url), { workerData })
    const members: Running['members'] = new Map()
    const beating = setInterval(() => beat.beat(), limits.leaseBeatMs)
    thread.on('message', (message: FromLeaseThread) => {
      if (message.kind === 'wake') return this.#options.onWake(message.wake)
      const member = members.get(message.key)
      if (message.kind === 'registered') member?.onRegistered(message.workerId)
      else if (message.kind === 'failed') member?.onFailed(new Error(message.message))
      else member?.onEnded()
    })
    thread.on('error', (error) => [...members.values()].forEach(({ onFailed }) => onFailed(error as Error)))
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve())).then(() => {
      clearInterval(beating)
      if (this.#running === running) this.#running = undefined
      for (const { onEnded } of members.values()) onEnded()
    })
    const running = { thread, members, ended }
    return running
  }

  async #end(running: Running): Promise<void> {
    if (this.#running === running) this.#running = undefined
    tell(running, { kind: 'end' })
    await running.ended
  }
}

function tell({ thread }: Running, message: ToLeaseThread): void {
  thread.postMessage(message)
}
