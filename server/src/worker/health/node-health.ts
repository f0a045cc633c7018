import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app/app.ts'
import { nodeFaults, type NodeFault } from '#domain/runs/workers/node-fault.ts'
import { reportHealth } from '#domain/runs/workers/report-health.ts'
import { faultOfError } from './fault-of-error.ts'
import { healthLimits } from './health-limits.ts'
import { nodeChecks, type NodeCheck } from './node-checks.ts'

type Found = { fault: NodeFault; message: string }
type Known = { check: NodeCheck; lookedAt: number; found: Found | undefined; looking: Promise<void> | undefined }

/**
 * Whether this machine is fit to work at runs. Its disk is looked at before a claim, at most once a second; what lies
 * outside beside the claims. Whatever was found, or doubted because a run failed by it, keeps the worker from
 * claiming until a look finds nothing.
 */
export class NodeHealth {
  readonly #app: App
  readonly #known: Known[]
  #lastSummary = ''
  #reported = ''

  constructor(app: App, checks = nodeChecks(app)) {
    this.#app = app
    // What is kept until it is doubted was found good as the process started.
    this.#known = checks.map((check) => ({
      check,
      lookedAt: check.keptMs === undefined ? performance.now() : -Infinity,
      found: undefined,
      looking: undefined,
    }))
  }

  /** Whether the worker may claim now; says so where it changes. Never rejects. */
  async isFit(workerId: number): Promise<boolean> {
    await Promise.all(this.#known.map((known) => this.#renew(known)))
    const unfit = this.#found()
    this.#say(unfit)
    await this.#report(workerId, unfit)
    return unfit.length === 0
  }

  /** As it was found last. */
  get isFitNow(): boolean {
    return this.#found().length === 0
  }

  /**
   * The fault of this machine by which a run failed; undefined where it failed by its own. What may be either is the
   * machine's if a look at it finds a fault now. The machine is doubted until the next look, whatever had been found.
   */
  async blame(error: unknown, { isUnsure }: { isUnsure: boolean }): Promise<NodeFault | undefined> {
    const fault = faultOfError(error)
    if (!fault && !isUnsure) return undefined
    if (fault) this.#doubt(fault, (error as Error).message)
    else {
      await Promise.all(this.#known.filter(({ check }) => check.keptMs !== undefined).map((known) => this.#look(known)))
    }
    return fault ?? this.#found()[0]?.fault
  }

  /** The fault of this machine's disk, as it is now. */
  async blameDisk(): Promise<NodeFault | undefined> {
    await Promise.all(this.#known.filter(({ check }) => check.isQuick).map((known) => this.#look(known)))
    return this.#found().find(({ fault }) => diskFaults.includes(fault))?.fault
  }

  #found(): Found[] {
    return this.#known.flatMap(({ found }) => found ?? [])
  }

  #doubt(fault: NodeFault, message: string): void {
    const asked = diskFaults.includes(fault) ? 'disk_fault' : fault
    for (const known of this.#known) {
      // A sandbox that could not be made may have found a full disk: then that is what to say.
      const isMeant = known.check.fault === asked
      if (isMeant) known.found = { fault, message }
      if (isMeant || known.check.isQuick) known.lookedAt = -Infinity
    }
  }

  async #renew(known: Known): Promise<void> {
    const { check, found, lookedAt } = known
    const keptMs = (found ? check.againMs : check.keptMs) ?? Infinity
    if (performance.now() - lookedAt < keptMs) return
    const isNew = lookedAt === -Infinity
    const looking = this.#look(known)
    if (check.isQuick || found || isNew) await looking
  }

  /** One look at a time, however many ask. Never rejects. */
  #look(known: Known): Promise<void> {
    known.looking ??= this.#lookOnce(known).finally(() => (known.looking = undefined))
    return known.looking
  }

  async #lookOnce(known: Known): Promise<void> {
    const { check } = known
    const looking = check.look()
    looking.catch(() => {})
    try {
      await Promise.race([looking, giveUp()])
      known.found = undefined
    } catch (error) {
      known.found = { fault: faultOfError(error) ?? check.fault, message: (error as Error).message }
    }
    known.lookedAt = performance.now()
  }

  #say(unfit: Found[]): void {
    const { logger, telemetry } = this.#app
    const faults = unfit.map(({ fault }) => fault)
    // Those of remote workers are told by the database alone: this process has several.
    for (const fault of this.#app.remote ? [] : (Object.keys(nodeFaults) as NodeFault[]))
      telemetry.metrics.workerUnfit.set({ fault }, faults.includes(fault) ? 1 : 0)
    const summary = faults.join()
    if (summary === this.#lastSummary) return
    this.#lastSummary = summary
    if (unfit.length) logger.warn({ event: 'worker_unfit', faults: unfit }, 'this worker takes no runs')
    else logger.info({ event: 'worker_fit' }, 'this worker takes runs again')
  }

  /** Told to the others, who say why runs wait; where that fails, the next look tells them. */
  async #report(workerId: number, unfit: Found[]): Promise<void> {
    const faults = [...new Set(unfit.map(({ fault }) => fault))]
    const reported = faults.length ? `${workerId}: ${faults.join()}` : ''
    if (reported === this.#reported) return
    await reportHealth(this.#app.pool, { workerId, unfit: faults }).then(
      () => (this.#reported = reported),
      () => undefined,
    )
  }
}

const diskFaults: readonly NodeFault[] = ['disk_full', 'disk_fault', 'files_exhausted']

async function giveUp(): Promise<never> {
  await sleep(healthLimits.lookMs, undefined, { ref: false })
  throw new Error(`There was no answer for ${healthLimits.lookMs / 1000} s.`)
}

const healths = new WeakMap<App['sandboxes'], NodeHealth>()

/** That of the machine on which this app makes its sandboxes. */
export function nodeHealthOf(app: App): NodeHealth {
  const health = healths.get(app.sandboxes) ?? new NodeHealth(app)
  healths.set(app.sandboxes, health)
  return health
}
