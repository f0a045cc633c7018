import { availableParallelism, freemem } from 'node:os'
import { grammarOf, hasSyntaxError, openParser } from '#adapters/engines/syntax/open-parser.ts'
import type { Turn } from '#adapters/engines/engine.ts'
import { isLikely } from './candidates/kinds.ts'
import { applyCandidate, makeCandidates } from './candidates/make-candidates.ts'
import { collectDonors, readDonors } from './collect-donors.ts'
import { collectLiterals } from './collect-literals.ts'
import { type Fault, readSource } from './find-fault.ts'
import { type Fix, makeFix } from './fix.ts'
import { languages } from './languages.ts'
import { isUnseenInversion } from './is-inverted.ts'
import { FOUND_MAX, Parts, type Queued } from './parts.ts'
import { readFailures } from './read-failures.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Broken } from './run-tests.ts'
import { testId } from './suite.ts'
import { openTrial, type Trial } from './trial.ts'
import { Turns } from './turns.ts'

const TRIALS_MAX = 4
const TRIAL_BYTES = 512 * 1024 * 1024
/** The most suspicious lines, at which hundreds of unlikely edits each are made. Elsewhere none of these would have its turn. */
const WIDE_LINES = 150
/** Where only an unlikely change was found, better ones get this much more time. */
const PATIENCE = 3

export type Tried = {
  next: number
  total: number
  /** So many before `next` come later. */
  left: number
  tried: number
  hanging: number
  found: Fix[]
  files: string[]
  hasParts: boolean
}

/** Holds the candidates and the trials from one part of the search to the next. Both are made when first needed. */
export class Searcher implements AsyncDisposable {
  readonly #turn: Turn
  readonly #broken: Broken
  readonly #fault: Fault
  readonly #limits: RepairLimits
  #trials: Trial[] | undefined
  #queue: Queued[] | undefined
  #parts: Parts | undefined
  readonly #sources = new Map<string, string>()
  #turns: Turns | undefined

  constructor(turn: Turn, broken: Broken, fault: Fault, limits: RepairLimits) {
    this.#turn = turn
    this.#broken = broken
    this.#fault = fault
    this.#limits = limits
  }

  /** Tries candidates from `from` on, side by side, for so long; a little longer once something is found. */
  async try(from: number, forMs: number, signal: AbortSignal): Promise<Tried> {
    const queue = (this.#queue ??= await this.#makeQueue())
    const parts = await this.#openParts()
    const trials = await this.#openTrials()
    const turns = (this.#turns ??= new Turns(queue))
    const began = performance.now()
    let endMs = forMs
    const tried: Tried = {
      next: from,
      total: queue.length,
      left: 0,
      tried: 0,
      hanging: 0,
      found: [],
      files: [],
      hasParts: false,
    }
    const files = new Set<string>()
    const passing: { at: number; fix: Fix }[] = []
    const isOver = () => performance.now() - began >= endMs || passing.length >= FOUND_MAX
    const work = async (trial: Trial) => {
      while (!isOver()) {
        signal.throwIfAborted()
        const turn = turns.take(tried)
        if (!turn) return
        const { at, patience } = turn
        const candidate = queue[at]!
        const changed = await this.#apply(candidate)
        if (changed === null) continue
        files.add(candidate.file)
        const startedAt = performance.now()
        const outcome = await trial.run(candidate.file, changed, patience)
        const { verdict } = outcome
        // A fresh run of a suite has but one limit.
        turns.note(turn, outcome, performance.now() - startedAt, this.#isWarm)
        parts.note(at, outcome)
        if (patience === 'brief') {
          tried.tried++
          if (verdict === 'hangs') tried.hanging++
        }
        if (verdict !== 'passes') continue
        const fix = await makeFix(candidate, this.#sources.get(candidate.file)!)
        const hasLikely = passing.some((one) => this.#isConvincing(one.fix))
        passing.push({ at, fix })
        const isConvincing = this.#isConvincing(fix)
        if (passing.length === 1 || (isConvincing && !hasLikely))
          endMs = performance.now() - began + this.#limits.alternativesMs * (isConvincing ? 1 : PATIENCE)
      }
    }
    await Promise.all(trials.map(work))
    // Whoever was quicker: all candidates before the last one have been tried, and the order is the queue's.
    const fixes = passing.sort((a, b) => a.at - b.at).map(({ fix }) => fix)
    tried.found = fixes.filter((fix, at) => fixes.findIndex((one) => one.hashAfter === fix.hashAfter) === at)
    tried.files = [...files]
    tried.left = turns.left
    tried.hasParts = parts.areThere
    return tried
  }

  /** Tries several edits of one file together, where no single one is enough. */
  async tryTogether(from: number, forMs: number, signal: AbortSignal): Promise<Tried> {
    const parts = await this.#openParts()
    return this.#toTried(from, await parts.tryTogether({ until: performance.now() + forMs, signal }))
  }

  /** Without any such, what fixes the most tests and breaks none. */
  async tryAlone(from: number, forMs: number, signal: AbortSignal): Promise<Tried> {
    const parts = await this.#openParts()
    return this.#toTried(from, await parts.tryAlone({ until: performance.now() + forMs, signal }))
  }

  #toTried(next: number, asked: Pick<Tried, 'tried' | 'found' | 'files'>): Tried {
    return { next, total: this.#queue!.length, left: this.#turns?.left ?? 0, hanging: 0, hasParts: true, ...asked }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const trial of this.#trials ?? []) await trial[Symbol.asyncDispose]()
  }

  get #isWarm(): boolean {
    return this.#fault.mode === 'warm'
  }

  /** A condition that was turned round where no passing test comes by is as unlikely as the tests are weak. */
  #isConvincing(fix: Fix): boolean {
    const seen = this.#fault.files.find(({ file }) => file === fix.file)?.passing[fix.line] ?? 0
    return isLikely(fix) && !isUnseenInversion(fix, seen)
  }

  /** Null for what is no program any more. */
  async #apply(candidate: Queued): Promise<string | null> {
    const changed = applyCandidate(this.#sources.get(candidate.file)!, candidate)
    return hasSyntaxError(await openParser(grammarOf(candidate.file)), changed) ? null : changed
  }

  async #openParts(): Promise<Parts> {
    if (this.#parts) return this.#parts
    const queue = (this.#queue ??= await this.#makeQueue())
    const trials = await this.#openTrials()
    const sourceOf = (file: string) => this.#sources.get(file)!
    const [file] = this.#sources.keys()
    // A fresh run of a suite does not say how far a test came.
    const canTell = this.#isWarm && file !== undefined
    const { reached = {} } = canTell ? await trials[0]!.run(file, sourceOf(file), 'brief') : {}
    return (this.#parts = new Parts({
      queue,
      trials,
      failing: this.#fault.failing.map(testId),
      start: reached,
      sourceOf,
      apply: (candidate) => this.#apply(candidate),
    }))
  }

  async #openTrials(): Promise<Trial[]> {
    if (this.#trials) return this.#trials
    // Fresh runs of a whole suite share its files, and use all cores as it is.
    const processes = availableParallelism() * languages[this.#broken.suite.language].benchesPerCore
    const room = Math.min(TRIALS_MAX, processes, Math.floor(freemem() / TRIAL_BYTES))
    const count = this.#isWarm ? Math.max(room, 1) : 1
    this.#trials = []
    while (this.#trials.length < count) {
      this.#trials.push(await openTrial(this.#turn, this.#broken, this.#fault, this.#limits, this.#turn.signal))
    }
    return this.#trials
  }

  async #makeQueue(): Promise<Queued[]> {
    const queue: Queued[] = []
    const suspicions = this.#fault.files.flatMap(({ lines }) => Object.values(lines))
    const wideFrom = suspicions.sort((a, b) => b - a)[WIDE_LINES]
    const literals = await collectLiterals(this.#turn, this.#broken)
    const failures = readFailures(this.#broken)
    const lenders = await readDonors(this.#turn, this.#broken.suite)
    for (const { file, lines } of this.#fault.files) {
      const source = await readSource(this.#turn, file)
      if (Buffer.byteLength(source) > this.#limits.sourceBytesMax) continue
      const grammar = grammarOf(file)
      this.#sources.set(file, source)
      const donors = await collectDonors(lenders, { file, source })
      const candidates = makeCandidates(
        await openParser(grammar),
        grammar,
        source,
        lines,
        { literals, donors, failures },
        wideFrom,
      )
      for (const candidate of candidates) queue.push({ ...candidate, file })
    }
    // Stable: within a file the order of `makeCandidates` stays.
    return queue.sort((a, b) => b.order - a.order).slice(0, this.#limits.candidatesMax)
  }
}
