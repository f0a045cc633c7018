import type { App } from '#app/app.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import { WaitingRoom } from '#base/concurrency/waiting-room.ts'
import { limits } from '#base/limits.ts'
import type { Wake } from '#domain/accounts/organizations/wake-workers.ts'
import { listStopping } from '#domain/runs/runs/list-stopping.ts'
import { Leases } from '#worker/lease/leases.ts'

/** What a worker does for its crew. */
export type CrewMember = {
  /** The runs that it holds. */
  held(): Iterable<number>
  /** Ends a run that was asked to stop, if it holds it. */
  stop(runId: number): void
  hear(wake: Exclude<Wake, { queued: true } | { jobs: true }>): void
}

/**
 * The workers of one process: one beside the database, and one for each remote worker that is connected here. They share their session
 * with the database, the looks for runs that were asked to stop, and news of the queue, so that a thousand cost little more than one.
 */
export class Crew {
  readonly leases: Leases
  /** Where they wait for runs and for jobs that they can take. */
  readonly runs = new WaitingRoom()
  readonly jobs = new WaitingRoom()
  readonly #app: Pick<App, 'pool' | 'telemetry'>
  readonly #members = new Set<CrewMember>()
  #looking: AsyncDisposable | undefined

  constructor(app: Pick<App, 'pool' | 'telemetry' | 'databaseUrl'>) {
    this.#app = app
    this.leases = new Leases({ databaseUrl: app.databaseUrl, onWake: (wake) => this.#hear(wake) })
  }

  /** For as long as the worker can hold runs. */
  join(member: CrewMember): AsyncDisposable {
    this.#members.add(member)
    const { chores } = this.#app.telemetry
    this.#looking ??= repeat(() => chores.do('cancellations', () => this.#stopCancelled()), limits.sweepMs)
    return {
      [Symbol.asyncDispose]: async () => {
        this.#members.delete(member)
        if (this.#members.size) return
        const looking = this.#looking
        this.#looking = undefined
        await looking?.[Symbol.asyncDispose]()
      },
    }
  }

  #hear(wake: Wake): void {
    if ('queued' in wake) this.runs.wakeOneOfEach()
    else if ('jobs' in wake) this.jobs.wakeOneOfEach()
    else for (const member of this.#members) member.hear(wake)
  }

  /** The notification of a stop is a hint; this finds the stops that it missed. */
  async #stopCancelled(): Promise<void> {
    const runIds = [...this.#members].flatMap((member) => [...member.held()])
    if (!runIds.length) return
    for (const runId of await listStopping(this.#app.pool, { runIds }))
      for (const member of this.#members) member.stop(runId)
  }
}
