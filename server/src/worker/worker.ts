import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app.ts'
import { crashAt } from '#base/crash-points.ts'
import { limits } from '#base/limits.ts'
import { pruneEvents } from '#domain/events/prune-events.ts'
import { sweepIdempotencyKeys } from '#domain/idempotency-keys/sweep-idempotency-keys.ts'
import { makePartitions } from '#domain/logs/make-partitions.ts'
import { claimRun, type Claim } from '#domain/runs/claim-run.ts'
import { releaseRun } from '#domain/runs/release-run.ts'
import { listStopping } from '#domain/runs/list-stopping.ts'
import type { Wake } from '#domain/runs/wake-workers.ts'
import { registerWorker } from '#domain/workers/register-worker.ts'
import { renewWorker } from '#domain/workers/renew-worker.ts'
import { sweepWorkers } from '#domain/workers/sweep-workers.ts'
import { cleanSandboxes } from './clean-sandboxes.ts'
import { executeRun } from './execute-run.ts'
import { TurnStopped } from './turn-stopped.ts'

export type WorkerOptions = { name: string; slots: number; version: string }

type Held = { claim: Claim; stop: AbortController; done: Promise<void> }

/**
 * A worker: claims queued runs and executes them, as many at once as it has slots. It lives as long as its session with
 * the database and its lease; when either ends, it stops all its runs without a word and begins anew under another id.
 */
export class Worker implements AsyncDisposable {
  readonly #app: App
  readonly #options: WorkerOptions
  readonly #held = new Map<number, Held>()
  readonly #stopping = new AbortController()
  #life: AbortController | undefined
  #wake: () => void = () => {}
  #loop: Promise<void> | undefined

  constructor(app: App, options: WorkerOptions) {
    this.#app = app
    this.#options = options
  }

  /** Resolves when the worker is ready to claim; goes on in the background until it is disposed. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>()
    this.#loop = this.#liveForEver(first.resolve)
    await first.promise
  }

  get isAlive(): boolean {
    return this.#life !== undefined && !this.#life.signal.aborted
  }

  get busy(): number {
    return this.#held.size
  }

  /** Hands its runs over: each is queued again for the next worker, which goes on at the same step. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    for (const held of this.#held.values()) held.stop.abort(new TurnStopped('shutdown'))
    await Promise.allSettled([...this.#held.values()].map((held) => held.done))
    this.#life?.abort()
    await this.#loop
  }

  async #liveForEver(onReady: () => void): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#live(onReady)
      } catch (error) {
        this.#app.logger.warn({ err: error }, 'the worker lost the database; it begins anew')
      }
      if (!this.#stopping.signal.aborted) await sleep(250)
    }
  }

  /** One life: from the registration to the end of the session or the lease. */
  async #live(onReady: () => void): Promise<void> {
    const life = new AbortController()
    await using session = await registerWorker({
      ...this.#options,
      databaseUrl: this.#app.databaseUrl,
      onWake: (wake) => this.#hear(wake),
      onLost: () => life.abort(),
    })
    try {
      this.#life = life
      await makePartitions(this.#app.pool)
      onReady()
      const { workerId } = session
      await Promise.all([
        this.#claimLoop(workerId, life),
        this.#renewLoop(workerId, life),
        this.#sweepLoop(life),
        this.#cleanLoop(life),
      ])
    } finally {
      life.abort()
      for (const held of this.#held.values()) held.stop.abort(new TurnStopped('lost'))
      await Promise.allSettled([...this.#held.values()].map((held) => held.done))
    }
  }

  #hear(wake: Wake): void {
    if ('queued' in wake) this.#wake()
    else this.#held.get(wake.runId)?.stop.abort(new TurnStopped('cancelled'))
  }

  async #claimLoop(workerId: number, life: AbortController): Promise<void> {
    while (!life.signal.aborted && !this.#stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      const claim =
        this.#held.size < this.#options.slots
          ? await claimRun(this.#app.pool, { workerId }).catch(() => undefined)
          : undefined
      if (claim) this.#execute(claim)
      else await Promise.race([woken, sleep(limits.sweepMs, undefined, { ref: false }), aborted(life.signal)])
    }
  }

  #execute(claim: Claim): void {
    const stop = new AbortController()
    this.#app.announcer.announceRun(claim.runId)
    const done = this.#finishSomehow(claim, stop.signal).finally(() => {
      this.#app.announcer.announceRun(claim.runId)
      this.#held.delete(claim.runId)
      this.#wake()
    })
    this.#held.set(claim.runId, { claim, stop, done })
  }

  /** Never rejects. What did not end is queued again, under this lease; if that is gone, somebody else has seen to it. */
  async #finishSomehow(claim: Claim, signal: AbortSignal): Promise<void> {
    const { pool, mask, logger } = this.#app
    try {
      await executeRun(this.#app, claim, signal)
    } catch (error) {
      const stopped: unknown = signal.aborted ? signal.reason : error
      const why = stopped instanceof TurnStopped ? stopped.why : 'lost'
      if (!(stopped instanceof TurnStopped)) logger.warn({ err: error, runId: claim.runId }, 'a turn was broken off')
      const isLost = why === 'lost'
      while (this.isAlive) {
        try {
          await releaseRun(pool, { ...claim, isLost, mask })
          return crashAt('run.released')
        } catch (failure) {
          logger.warn({ err: failure, runId: claim.runId }, 'a run could not be released yet')
          await sleep(500)
        }
      }
    }
  }

  async #renewLoop(workerId: number, life: AbortController): Promise<void> {
    let renewedAt = performance.now()
    while (!life.signal.aborted) {
      await Promise.race([sleep(limits.leaseRenewMs, undefined, { ref: false }), aborted(life.signal)])
      if (life.signal.aborted) return
      const isRenewed = await renewWorker(this.#app.pool, { workerId }).catch(() => undefined)
      if (isRenewed) renewedAt = performance.now()
      // No answer is not yet the end, but past the lease others take the runs, whether we know it or not.
      if (isRenewed === false || performance.now() - renewedAt > limits.leaseMs) life.abort()
    }
  }

  async #sweepLoop(life: AbortController): Promise<void> {
    const { pool, mask, logger } = this.#app
    while (!life.signal.aborted) {
      try {
        await sweepWorkers(pool, {
          mask,
          onFault: (fault) =>
            logger.error({ err: fault.error, runId: fault.runId }, 'an orphaned run could not be released'),
        })
        await this.#stopCancelled()
      } catch (error) {
        logger.debug({ err: error }, 'the sweep failed')
      }
      await Promise.race([sleep(limits.sweepMs, undefined, { ref: false }), aborted(life.signal)])
    }
  }

  async #cleanLoop(life: AbortController): Promise<void> {
    while (!life.signal.aborted) {
      try {
        await cleanSandboxes(this.#app, { except: [...this.#held.keys()] })
        await makePartitions(this.#app.pool)
        await pruneEvents(this.#app.pool)
        await sweepIdempotencyKeys(this.#app.pool, { now: this.#app.clock.now() })
      } catch (error) {
        this.#app.logger.debug({ err: error }, 'the clean-up failed')
      }
      await Promise.race([sleep(limits.cleanMs, undefined, { ref: false }), aborted(life.signal)])
    }
  }

  /** The notification of a stop is a hint; this finds the stops that it missed. */
  async #stopCancelled(): Promise<void> {
    if (!this.#held.size) return
    for (const runId of await listStopping(this.#app.pool, { runIds: [...this.#held.keys()] }))
      this.#held.get(runId)?.stop.abort(new TurnStopped('cancelled'))
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
