import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { listen } from '#db/listen.ts'
import type { Db } from '#db/pool.ts'
import { currentPlace, listChangedRuns, type EventPlace } from '#domain/runs/events/list-changed-runs.ts'
import { missingRun } from '#domain/runs/missing-run.ts'
import { liveChannel, logChannel, progressChannel, type Progress } from '#domain/runs/logs/notifier.ts'
import type { Live } from '#domain/runs/logs/live.ts'
import type { ArchiveStore } from '#domain/runs/logs/read-archived-entries.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { wakeChannel, wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import { listGood, type TokenUse } from '#domain/accounts/tokens/list-good.ts'
import { ended, nothingLive, withText, withTool, type LiveRun } from './live-run.ts'
import { Signal } from './signal.ts'
import { batchReader, type LogBatch, type ReadBatch } from './read-batch.ts'
import { readFaces, readRuns, type RunAt, type RunVersion } from './read-runs.ts'
import { readTools } from './read-tools.ts'

/** A run that somebody follows. `run` is another object as soon as its status or its detail is another. */
export type WatchedRun = RunIds &
  RunAt & { progress: Progress | undefined; live: LiveRun; updates: Signal; readers: number }

/** One reader of an organization's status changes, and what waits for it: each run once, as it is now. */
export type RunsReader = { organizationId: number; waiting: Map<number, Run>; isTooSlow: boolean; updates: Signal }

/** Somebody who was let in; the signal aborts when their token or their membership has ended. */
export type Admission = TokenUse & Disposable & { readonly signal: AbortSignal }

export type OpenSubscriptions = {
  pool: Db
  databaseUrl: string
  /** Where archived entries of logs lie. */
  blobs: ArchiveStore
  /** Told of looks that fail, and that they do not any more. */
  chores: { do(chore: string, work: () => Promise<void>): Promise<unknown> }
}

/**
 * What this process knows of the runs that somebody follows: one connection that listens, one look at all of them for
 * each notification and at least every `followMs`, whatever the number of readers. It rests while there is none.
 */
export class Subscriptions implements AsyncDisposable {
  readonly #options: OpenSubscriptions
  readonly #runs = new Map<number, WatchedRun>()
  readonly #runsReaders = new Set<RunsReader>()
  readonly #admitted = new Map<Admission, AbortController>()
  readonly #stop = new AbortController()
  readonly #woken = new Signal()
  readonly #changed = new Set<number>()
  readonly #asked = new Set<number>()
  #place: EventPlace | undefined
  #news = 0
  #listener: AsyncDisposable | undefined
  #loop: Promise<void> | undefined
  #look: Promise<void> = Promise.resolve()
  /** A part of a log, read once for all who follow it. */
  readonly readBatch: (request: ReadBatch) => Promise<LogBatch>

  constructor(options: OpenSubscriptions) {
    this.#options = options
    this.readBatch = batchReader(options.pool, options.blobs)
  }

  /** Aborted when the subscriptions close: every reader ends then. */
  get closed(): AbortSignal {
    return this.#stop.signal
  }

  /** Another number whenever the subscriptions have heard of a change, and before any reader is told of it. */
  get news(): number {
    return this.#news
  }

  get readers(): number {
    return [...this.#runs.values()].reduce((sum, { readers }) => sum + readers, this.#runsReaders.size)
  }

  /** Lets a reader in who was found to be allowed to, and looks now and then whether that still holds. */
  admit(use: TokenUse): Admission {
    this.#begin()
    if (this.#admitted.size >= limits.streamsMax) throw new AppError('unavailable')
    const leave = new AbortController()
    const admission: Admission = {
      ...use,
      signal: leave.signal,
      [Symbol.dispose]: () => void this.#admitted.delete(admission),
    }
    this.#admitted.set(admission, leave)
    return admission
  }

  /** The run as it is now, and from then on as it changes, until it is released. Throws `run_not_found`. */
  async watchRun(ids: RunIds): Promise<WatchedRun> {
    this.#begin()
    const [now] = await readRuns(this.#options.pool, [ids])
    if (!now) throw await missingRun(this.#options.pool, ids)
    this.#news++
    const known = this.#runs.get(ids.runId)
    const watched = known ?? {
      ...ids,
      ...now,
      progress: undefined,
      live: nothingLive,
      updates: new Signal(),
      readers: 0,
    }
    watched.readers++
    if (known) this.#show(known, now)
    else this.#runs.set(ids.runId, watched)
    // What was said between the read and now was said to nobody.
    this.#changed.add(ids.runId)
    this.#wake()
    if (!known) await this.#findTools([watched])
    return watched
  }

  releaseRun(watched: WatchedRun): void {
    watched.readers--
    if (watched.readers === 0) this.#runs.delete(watched.runId)
  }

  /** From the answer on, no status change of the organization's runs is missed. */
  async watchRuns(organizationId: number): Promise<RunsReader> {
    this.#begin()
    const reader = { organizationId, waiting: new Map(), isTooSlow: false, updates: new Signal() }
    this.#runsReaders.add(reader)
    try {
      // A look that began before this reader was here may pass over what it is to see.
      await this.#look
      const place = await currentPlace(this.#options.pool)
      this.#place ??= place
      return reader
    } catch (error) {
      this.#runsReaders.delete(reader)
      throw error
    }
  }

  releaseRuns(reader: RunsReader): void {
    this.#runsReaders.delete(reader)
    if (this.#runsReaders.size === 0) this.#place = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#loop
    await this.#listener?.[Symbol.asyncDispose]()
  }

  #begin(): void {
    if (this.closed.aborted) throw new AppError('unavailable')
    this.#listener ??= listen({
      databaseUrl: this.#options.databaseUrl,
      channels: [logChannel, progressChannel, liveChannel, wakeChannel],
      onNotification: (channel, payload) => this.#hear(channel, payload),
      onConnected: () => {
        this.#changeAll()
        void this.#findTools([...this.#runs.values()])
        for (const watched of this.#runs.values()) this.askProgress(watched)
      },
    })
    this.#loop ??= this.#lookAgainAndAgain()
  }

  #hear(channel: string, payload: string): void {
    if (channel === progressChannel) return this.#showProgress(JSON.parse(payload) as Progress)
    if (channel === liveChannel) return this.#showLive(JSON.parse(payload) as Live)
    if (channel === logChannel) for (const runId of payload.split(',')) this.#changed.add(Number(runId))
    this.#wake()
  }

  #tell(watched: WatchedRun): void {
    this.#news++
    watched.updates.beat()
  }

  #showProgress(progress: Progress): void {
    const watched = this.#runs.get(progress.runId)
    if (!watched) return
    watched.progress = progress
    watched.updates.beat()
  }

  #showLive(live: Live): void {
    const watched = this.#runs.get(live.runId)
    if (!watched) return
    watched.live = live.type === 'tool' ? withTool(watched.live, live) : withText(watched.live, live)
    // What comes before it in the log is told before it, so that is looked for at once.
    if (live.afterSeq > watched.lastSeq) {
      this.#changed.add(live.runId)
      this.#wake()
    }
    watched.updates.beat()
  }

  /** Tools that started before anybody listened. Never rejects: without them their entries come all the same. */
  async #findTools(watched: WatchedRun[]): Promise<void> {
    const before = new Map(watched.filter(({ run }) => !hasEnded(run)).map((one) => [one, one.live]))
    if (!before.size) return
    await this.#options.chores.do('look_at_tools', async () => {
      for (const tool of await readTools(this.#options.pool, [...before.keys()])) {
        const one = this.#runs.get(tool.runId)
        // What was heard meanwhile is newer.
        if (one && one.live === before.get(one)) this.#showLive({ type: 'tool', ...tool })
      }
    })
  }

  /** Has the worker of a run show once more what the tool at work has printed, as soon as a few others are asked for too. */
  askProgress({ runId, run }: WatchedRun): void {
    if (run.status !== 'in_progress') return
    if (!this.#asked.size) setTimeout(() => void this.#sendAsked(), limits.announceMs).unref()
    this.#asked.add(runId)
  }

  /** Never rejects: what is printed later is heard all the same. */
  async #sendAsked(): Promise<void> {
    const runIds = [...this.#asked]
    this.#asked.clear()
    if (this.closed.aborted) return
    await this.#options.chores.do('ask_for_progress', async () => {
      while (runIds.length)
        await wakeWorkers(this.#options.pool, { progressOf: runIds.splice(0, limits.announcedRunsMax) })
    })
  }

  #changeAll(): void {
    for (const runId of this.#runs.keys()) this.#changed.add(runId)
    this.#wake()
  }

  #wake(): void {
    this.#woken.beat()
  }

  async #lookAgainAndAgain(): Promise<void> {
    const ticking = setInterval(() => {
      this.#changeAll()
      void this.#turnOut()
    }, limits.followMs).unref()
    try {
      while (!this.closed.aborted) {
        const { version } = this.#woken
        this.#look = this.#lookOnce()
        await this.#look
        await this.#woken.changed(version, this.closed)
      }
    } finally {
      clearInterval(ticking)
    }
  }

  /** Ends the streams of those who may not read any more. Never rejects: while nobody can say so, they stay. */
  async #turnOut(): Promise<void> {
    const asked = [...this.#admitted]
    if (!asked.length) return
    await this.#options.chores.do('look_at_readers', async () => {
      const good = await listGood(
        this.#options.pool,
        asked.map(([admission]) => admission),
      )
      const known = new Set(good.map(nameOf))
      for (const [admission, leave] of asked) if (!known.has(nameOf(admission))) leave.abort()
    })
  }

  /** Never rejects: what could not be read is read at the next tick. */
  async #lookOnce(): Promise<void> {
    await this.#options.chores.do('look_at_runs', async () => {
      await this.#lookAtRuns()
      await this.#lookAtEvents()
    })
  }

  async #lookAtRuns(): Promise<void> {
    const ids = [...this.#changed].flatMap((runId) => this.#runs.get(runId) ?? [])
    this.#changed.clear()
    if (!ids.length) return
    const stale: RunIds[] = []
    for (const face of await readFaces(this.#options.pool, ids)) {
      const watched = this.#runs.get(face.runId)
      if (!watched) continue
      if (isOther(watched.run, face)) stale.push(watched)
      else this.#grow(watched, face.lastSeq)
    }
    if (!stale.length) return
    for (const now of await readRuns(this.#options.pool, stale)) {
      const watched = this.#runs.get(now.run.id)
      if (watched) this.#show(watched, now)
    }
  }

  /** Reads overtake each other; the revision tells which is the newer. */
  #show(watched: WatchedRun, { run, lastSeq }: RunAt): void {
    if (run.revision < watched.run.revision || !isOther(watched.run, run)) return this.#grow(watched, lastSeq)
    watched.run = run
    if (run.status !== 'in_progress') watched.live = ended(watched.live)
    watched.lastSeq = Math.max(watched.lastSeq, lastSeq)
    this.#tell(watched)
  }

  #grow(watched: WatchedRun, lastSeq: number): void {
    if (lastSeq <= watched.lastSeq) return
    watched.lastSeq = lastSeq
    this.#tell(watched)
  }

  async #lookAtEvents(): Promise<void> {
    if (this.#place === undefined) return
    const { pool } = this.#options
    const organizationIds = [...new Set([...this.#runsReaders].map((reader) => reader.organizationId))]
    const { runs, place } = await listChangedRuns(pool, { organizationIds, from: this.#place })
    const changed = runs.length ? await readRuns(pool, runs) : []
    // Only now: a read that failed is made again from the same place.
    if (this.#place !== undefined) this.#place = place
    for (const reader of this.#runsReaders) {
      const own = changed.filter(({ run }) => run.organizationId === reader.organizationId)
      if (!own.length) continue
      this.#news++
      for (const { run } of own) reader.waiting.set(run.id, run)
      if (reader.waiting.size > limits.changedRunsMax) reader.isTooSlow = true
      reader.updates.beat()
    }
  }
}

const nameOf = ({ credentialId, organizationId }: TokenUse) => `${credentialId} ${organizationId}`

type Seen = Pick<RunVersion, 'status' | 'statusDetail' | 'turn'>

function isOther(one: Seen, other: Seen): boolean {
  return one.status !== other.status || one.statusDetail !== other.statusDetail || one.turn !== other.turn
}
