import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { limits } from '#base/limits.ts'
import { abortableBy } from '#base/concurrency/abortable-by.ts'
import { pause } from '#base/concurrency/pause.ts'
import type { Seat } from '#base/concurrency/waiting-room.ts'
import { ownFaults } from '#base/stray-faults.ts'
import { makePartitions } from '#domain/runs/logs/make-partitions.ts'
import { claimRun, findNextRun, type Claim } from '#domain/runs/runs/claim-run.ts'
import { hasQueuedRuns } from '#domain/runs/runs/has-queued-runs.ts'
import { listHeld } from '#domain/runs/runs/list-held.ts'
import { releaseRun, type ReleaseRun } from '#domain/runs/runs/release-run.ts'
import { drainWorker } from '#domain/runs/workers/drain-worker.ts'
import { openCleanUp } from './upkeep/clean-up.ts'
import { beginInstalling } from './upkeep/install-engines.ts'
import { jobTypes } from './hosts/jobs.ts'
import { JobRunner, type JobRunnerOptions } from './jobs/job-runner.ts'
import { executeRun } from './runs/execute-run.ts'
import { nodeHealthOf } from './health/node-health.ts'
import { Crew, type CrewMember } from './crew/crew.ts'
import type { WorkerLease } from './lease/leases.ts'
import { RunFailure } from './failures/run-failure.ts'
import { lead } from './upkeep/lead.ts'
import { TurnStopped } from './failures/turn-stopped.ts'

export type WorkerOptions = {
  name: string
  slots: number
  version: string
  labels: string[]
  /** By which its machine was let in; null or left out: by the operator's settings. */
  tokenId?: number | null
  /** The workers of its process; left out: it is the only one. */
  crew?: Crew
}

type Held = { claim: Claim; stop: AbortController; done: Promise<void> }

/**
 * A worker: claims queued runs and executes them, as many at once as it has slots. It lives as long as its session with
 * the database and its lease; when either ends, it stops all its runs without a word and begins anew under another id.
 */
export class Worker implements AsyncDisposable {
  readonly #app: App
  readonly #options: WorkerOptions
  readonly #crew: Crew
  readonly #held = new Map<number, Held>()
  readonly #stopping = new AbortController()
  /** Runs that could not be claimed, and until when the others go ahead of them. */
  readonly #avoided = new Map<number, number>()
  #life: AbortController | undefined
  #workerId: number | undefined
  #claimsBegun = 0
  #claimsEnded = 0
  #lease: WorkerLease | undefined
  #wake: () => void = () => {}
  #wakeForJobs: () => void = () => {}
  #jobs: JobRunner | undefined
  #loop: Promise<void> | undefined
  #lead: AsyncDisposable | undefined
  /** Until then a claim that failed may come to light: this worker holds a run and does not know. */
  #straysUntil = 0

  constructor(app: App, options: WorkerOptions) {
    this.#app = app
    this.#options = options
    this.#crew = options.crew ?? new Crew(app)
  }

  /** Resolves when the worker is ready to claim; goes on in the background until it is disposed. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>()
    this.#loop = this.#liveForEver(first.resolve)
    await first.promise
    if (!this.#app.remote) this.#lead = lead(this.#app)
  }

  get isAlive(): boolean {
    return this.#life !== undefined && !this.#life.signal.aborted
  }

  get busy(): number {
    return this.#held.size
  }

  get slots(): number {
    return this.#options.slots
  }

  /** How long ago its lease was renewed, in milliseconds. */
  get leaseAgeMs(): number {
    return this.#lease?.msSinceRenewed() ?? 0
  }

  /**
   * Hands its runs over: each is queued again for the next worker, which goes on at the same step. What a run does not
   * stop in time, it does in vain: its lease is gone.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    const resigned = this.#lead?.[Symbol.asyncDispose]()
    this.#wake()
    this.#wakeForJobs()
    const held = [...this.#held.values()]
    this.#app.logger.info({ workerId: this.#workerId, runs: held.length }, 'worker hands its runs over')
    for (const { stop } of held) stop.abort(new TurnStopped('shutdown'))
    if (this.#workerId !== undefined && this.isAlive)
      await drainWorker(this.#app.pool, { workerId: this.#workerId }).catch(() => {})
    const stopped = Promise.allSettled([...held.map(({ done }) => done), this.#jobs?.ended(), resigned])
    await Promise.race([stopped, sleep(limits.handOverMs, undefined, { ref: false })])
    await Promise.allSettled([...this.#held.values()].map(({ claim }) => this.#release(claim, { isLost: false })))
    this.#life?.abort()
    // Nobody's run depends on it any more.
    await Promise.race([this.#loop, sleep(250, undefined, { ref: false })])
  }

  async #liveForEver(onReady: () => void): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        await this.#live(onReady)
        failures = 0
      } catch (error) {
        // Said once, however often it tries in vain.
        if (!failures) this.#app.logger.warn({ err: error }, 'the worker lost the database; it begins anew')
        failures += 1
      }
      this.#workerId = undefined
      // Each try may start a thread, which costs enough to be felt where the database stays away.
      const { signal } = this.#stopping
      await sleep(Math.min(250 * 2 ** failures, 2_000), undefined, { signal }).catch(() => {})
    }
  }

  /** One life: from the registration to the end of the session or the lease. */
  async #live(onReady: () => void): Promise<void> {
    const life = new AbortController()
    const { name, slots, version, labels, tokenId } = this.#options
    const { place, serves: organizationId, sandboxes } = this.#app
    const { enforcement } = sandboxes
    await using lease = await this.#crew.leases.open({
      registration: { name, slots, version, labels, tokenId, place, organizationId, enforcement },
      onLost: () => life.abort(),
    })
    await using _membership = this.#crew.join(this.#member())
    try {
      this.#life = life
      this.#lease = lease
      const { workerId } = lease
      this.#workerId = workerId
      this.#app.logger.info({ workerId, name, slots, labels }, 'worker began')
      await makePartitions(this.#app.pool)
      onReady()
      await Promise.all([
        this.#claimLoop(workerId, life),
        this.#leaseLoop(lease, life),
        this.#stopLoop(workerId, life),
        this.#cleanLoop(workerId, life),
        this.#jobLoop(workerId, life),
      ])
    } finally {
      life.abort()
      this.#app.logger.info({ workerId: lease.workerId, runs: this.#held.size }, 'worker ended')
      for (const held of this.#held.values()) held.stop.abort(new TurnStopped('lost'))
      await Promise.allSettled([...this.#held.values()].map((held) => held.done))
    }
  }

  #member(): CrewMember {
    const stop = (runId: number) => this.#held.get(runId)?.stop.abort(new TurnStopped('cancelled'))
    return {
      held: () => this.#held.keys(),
      stop,
      hear: (wake) => {
        if ('runId' in wake) stop(wake.runId)
        // What is told to the process is for the one worker beside the database.
        else if (this.#app.remote) return
        else if ('engines' in wake) beginInstalling(this.#app)
        else this.#app.notifier.repeatProgress(wake.progressOf)
      },
    }
  }

  async #claimLoop(workerId: number, life: AbortController): Promise<void> {
    using seat = this.#crew.runs.enter(this.#kind())
    let isTold = true
    while (!life.signal.aborted && !this.#stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      const mayClaim = this.#held.size < this.#options.slots && (await this.#isFit(workerId, seat))
      // A look that nobody asked for asks first what costs less.
      const isQueued = mayClaim && !isTold ? await this.#hasQueued() : undefined
      const claim = mayClaim && isQueued !== false ? await this.#claim(workerId) : undefined
      if (claim) {
        this.#execute(claim)
        seat.wakeNext()
        isTold = true
        continue
      }
      if (!mayClaim) seat.pass()
      using rest = abortableBy(life.signal)
      // Where runs are queued that could not be claimed now, nobody says when they can.
      const isIdle = mayClaim && !(isQueued ?? (await this.#hasQueued()))
      const restMs = isIdle ? limits.idleLookMs : limits.sweepMs
      const rests: Promise<boolean> = mayClaim
        ? seat.wait(restMs, rest.signal)
        : pause(restMs, rest.signal).then(() => true)
      isTold = await Promise.race<boolean>([woken.then(() => true), rests])
    }
  }

  /** A machine that takes its time to answer keeps no others from looking. */
  async #isFit(workerId: number, seat: Seat): Promise<boolean> {
    const late = setTimeout(() => seat.pass(), limits.turnMs)
    return nodeHealthOf(this.#app)
      .isFit(workerId)
      .finally(() => clearTimeout(late))
  }

  /** Workers of one kind are given the same of what is queued. */
  #kind(): string {
    const { serves, sandboxes } = this.#app
    return JSON.stringify([serves, [...this.#options.labels].sort(), sandboxes.enforcement])
  }

  /** True where it cannot be told. */
  async #hasQueued(): Promise<boolean> {
    const { pool, serves } = this.#app
    return hasQueuedRuns(pool, { organizationId: serves }).catch(() => true)
  }

  /** A run that cannot be claimed is left out for a while, so that it does not keep the others waiting. */
  async #claim(workerId: number): Promise<Claim | undefined> {
    const now = performance.now()
    for (const [runId, until] of this.#avoided) if (until < now) this.#avoided.delete(runId)
    const which = { workerId, organizationId: this.#app.serves, except: [...this.#avoided.keys()] }
    this.#claimsBegun++
    try {
      return await claimRun(this.#app.pool, which)
    } catch (error) {
      this.#straysUntil = performance.now() + limits.buriedMs
      if (isConnectionError(error)) return undefined
      const run = await findNextRun(this.#app.pool, which).catch(() => undefined)
      this.#app.logger.error({ err: error, runId: run?.runId }, 'could not claim a run')
      if (run) this.#avoided.set(run.runId, now + limits.avoidedMs)
      return undefined
    } finally {
      this.#claimsEnded++
    }
  }

  /** A claim of which the answer was lost may have been made all the same: this worker holds the run and does not know. */
  async #releaseStrays(workerId: number): Promise<void> {
    const claims = this.#claimsBegun
    if (claims !== this.#claimsEnded) return
    const held = await listHeld(this.#app.pool, { workerId })
    // One that is under way may be among them; it is looked for again soon.
    if (claims !== this.#claimsBegun) return
    const known = new Set([...this.#held.values()].map(({ claim }) => claim.leaseId))
    for (const stray of held.filter(({ leaseId }) => !known.has(leaseId))) {
      this.#app.logger.warn({ runId: stray.runId }, 'a claimed run reached no worker; it is queued again')
      await releaseRun(this.#app.pool, { ...stray, isLost: false, mask: this.#app.mask })
    }
  }

  #execute(claim: Claim): void {
    const stop = new AbortController()
    // Claimed while the worker was told to end.
    if (this.#stopping.signal.aborted) stop.abort(new TurnStopped('shutdown'))
    this.#app.notifier.notifyRun(claim.runId)
    this.#app.telemetry.beginTurn(claim)
    const failStray = (error: unknown) => {
      const { logger, telemetry } = this.#app
      telemetry.metrics.strayFaults.inc({ kind: 'run' })
      logger.error(
        { err: error, event: 'stray_fault', runId: claim.runId },
        'an uncaught error ends the run that it belongs to',
      )
      stop.abort(new RunFailure('engine_error', 'The run was ended by a fault of the service, which is in its log.'))
    }
    const done = ownFaults(failStray, () => this.#finishSomehow(claim, stop.signal)).finally(() => {
      this.#app.notifier.notifyRun(claim.runId)
      // Its next turn may have been claimed here already.
      if (this.#held.get(claim.runId)?.claim.leaseId === claim.leaseId) this.#held.delete(claim.runId)
      this.#app.telemetry.endTurn(claim, { left: whyStopped(stop.signal.reason) })
      this.#wake()
    })
    this.#held.set(claim.runId, { claim, stop, done })
  }

  /** Never rejects. What did not end is queued again, under this lease; if that is gone, somebody else has seen to it. */
  async #finishSomehow(claim: Claim, signal: AbortSignal): Promise<void> {
    const { logger } = this.#app
    try {
      await executeRun(this.#app, claim, signal)
    } catch (error) {
      const stopped: unknown = signal.aborted ? signal.reason : error
      const why = whyStopped(stopped)
      if (!(stopped instanceof TurnStopped)) logger.warn({ err: error, runId: claim.runId }, 'a turn was interrupted')
      // Another worker comes first: what failed here may fail here again.
      if (why === 'unfit') this.#avoided.set(claim.runId, performance.now() + limits.avoidedMs)
      const waitsFor = why === 'host' || why === 'runs' ? why : undefined
      if (why === 'unfit' || waitsFor) this.#held.get(claim.runId)?.stop.abort(stopped)
      // The database's fault is none of the run's.
      const isLost = why === 'lost' && !isConnectionError(error)
      // Or the next claim would end the same way at once, as where the disk of PostgreSQL is full.
      if (isConnectionError(error)) await pause(limits.databasePauseMs, this.#stopping.signal)
      while (this.isAlive && !(await this.#release(claim, { isLost, waitsFor }))) await sleep(500)
    }
  }

  /** False when it has to be tried again. */
  async #release(claim: Claim, why: Pick<ReleaseRun, 'isLost' | 'waitsFor'>): Promise<boolean> {
    const { pool, mask, logger } = this.#app
    try {
      const ended = await releaseRun(pool, { ...claim, ...why, mask })
      const reason: unknown = this.#held.get(claim.runId)?.stop.signal.reason
      this.#app.telemetry.endTurn(claim, ended ?? { left: whyStopped(reason) })
      crashAt('run.released')
      return true
    } catch (error) {
      logger.warn({ err: error, runId: claim.runId }, 'could not release a run; will try again')
      return false
    }
  }

  /** What the lease thread says is heard late by a loop that was busy; how old the lease is, it sees by itself. */
  async #leaseLoop(lease: WorkerLease, life: AbortController): Promise<void> {
    while (!life.signal.aborted) {
      await pause(limits.leaseRenewMs, life.signal)
      if (lease.msSinceRenewed() > limits.leaseMs) life.abort()
    }
  }

  async #stopLoop(workerId: number, life: AbortController): Promise<void> {
    const { chores } = this.#app.telemetry
    while (!life.signal.aborted) {
      if (performance.now() < this.#straysUntil) await chores.do('stray_runs', () => this.#releaseStrays(workerId))
      await pause(limits.sweepMs, life.signal)
    }
  }

  async #cleanLoop(workerId: number, life: AbortController): Promise<void> {
    const { chores } = this.#app.telemetry
    const cleanUp = openCleanUp(this.#app)
    while (!life.signal.aborted) {
      await chores.do('stray_runs', () => this.#releaseStrays(workerId))
      await cleanUp({ except: [...this.#held.keys()] })
      await pause(limits.cleanMs, life.signal)
    }
  }

  /** Checks are where sandboxes are; all else is for the processes of the service itself. */
  #jobTypes(): JobRunnerOptions['types'] {
    const { check, ...others } = jobTypes
    if (this.#app.remote) return { check }
    return this.slots === 0 ? others : jobTypes
  }

  /** What waits beside runs, such as what happens on code hosts and what follows from it. */
  async #jobLoop(workerId: number, life: AbortController): Promise<void> {
    const { chores } = this.#app.telemetry
    const ending = AbortSignal.any([life.signal, this.#stopping.signal])
    await using jobs = new JobRunner(this.#app, {
      types: this.#jobTypes(),
      workerId,
      onEnded: () => this.#wakeForJobs(),
    })
    this.#jobs = jobs
    using seat = this.#crew.jobs.enter(`${this.#kind()} ${Object.keys(this.#jobTypes()).join()}`)
    while (!ending.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wakeForJobs = resolve))
      const begun = await chores.do('jobs', () => jobs.begin(ending))
      if (begun) {
        seat.wakeNext()
        continue
      }
      using rest = abortableBy(ending)
      await Promise.race([woken, seat.wait(limits.idleLookMs, rest.signal)])
    }
  }
}

/** What is not a stop is a fault, and the turn is lost by it. */
function whyStopped(reason: unknown): TurnStopped['why'] {
  return reason instanceof TurnStopped ? reason.why : 'lost'
}
