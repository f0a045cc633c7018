import { availableParallelism, freemem } from 'node:os'
import { grammarOf, hasSyntaxError, openParser } from '#adapters/engines/syntax/open-parser.ts'
import type { Turn } from '#adapters/engines/engine.ts'
import { isLikely, isSilencing } from './candidates/kinds.ts'
import { applyCandidate, type Candidate, joinEdits, makeCandidates } from './candidates/make-candidates.ts'
import { collectDonors, readDonors } from './collect-donors.ts'
import { collectLiterals } from './collect-literals.ts'
import { type Fault, readSource } from './find-fault.ts'
import { type Fix, makeFix } from './fix.ts'
import { languages } from './languages.ts'
import { isUnseenInversion } from './is-inverted.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Broken } from './run-tests.ts'
import { testId } from './suite.ts'
import { openTrial, type Trial } from './trial.ts'

const FOUND_MAX = 6
const TRIALS_MAX = 4
const TRIAL_BYTES = 512 * 1024 * 1024
/** How many of the likely edits are looked at again for what they fix in part. */
const PARTS_MAX = 600
const PARTS_KEPT = 12
/** Where only an unlikely change was found, better ones get this much more time. */
const PATIENCE = 3

export type Tried = { next: number; total: number; tried: number; hanging: number; found: Fix[]; files: string[] }
export type Queued = Candidate & { file: string }
type Part = { candidate: Queued; fixes: ReadonlySet<string>; at: number }
type KeepParts = { trial: Trial; tried: Tried; until: number; signal: AbortSignal }

/** Holds the candidates and the trials from one part of the search to the next. Both are made when first needed. */
export class Searcher implements AsyncDisposable {
  readonly #turn: Turn
  readonly #broken: Broken
  readonly #fault: Fault
  readonly #limits: RepairLimits
  #trials: Trial[] | undefined
  #queue: Queued[] | undefined
  /** What candidates fix in part, by their places in the queue. */
  readonly #parts = new Map<number, ReadonlySet<string>>()
  readonly #sources = new Map<string, string>()

  constructor(turn: Turn, broken: Broken, fault: Fault, limits: RepairLimits) {
    this.#turn = turn
    this.#broken = broken
    this.#fault = fault
    this.#limits = limits
  }

  /** Tries candidates from `from` on, side by side, for so long; a little longer once something is found. */
  async try(from: number, forMs: number, signal: AbortSignal): Promise<Tried> {
    const queue = (this.#queue ??= await this.#makeQueue())
    const trials = await this.#openTrials()
    const began = performance.now()
    let endMs = forMs
    const tried: Tried = { next: from, total: queue.length, tried: 0, hanging: 0, found: [], files: [] }
    const files = new Set<string>()
    const passing: { at: number; fix: Fix }[] = []
    const isOver = () => tried.next >= queue.length || performance.now() - began >= endMs || passing.length >= FOUND_MAX
    const work = async (trial: Trial) => {
      while (!isOver()) {
        signal.throwIfAborted()
        const at = tried.next++
        const candidate = queue[at]!
        const changed = await this.#apply(candidate)
        if (changed === null) continue
        files.add(candidate.file)
        tried.tried++
        const { verdict, fixed } = await trial.run(candidate.file, changed)
        this.#parts.set(at, new Set(fixed))
        if (verdict === 'hangs') tried.hanging++
        if (verdict !== 'passes') continue
        const hasLikely = passing.some((one) => this.#isConvincing(one.fix))
        const fix = makeFix(candidate, this.#sources.get(candidate.file)!, changed)
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
    return tried
  }

  /**
   * Tries pairs of edits of one file that each make some failing tests pass, and together all. Without any, what fixes the most
   * tests and breaks none is found: the others may fail for reasons of their own.
   */
  async tryParts(from: number, forMs: number, signal: AbortSignal): Promise<Tried> {
    const queue = (this.#queue ??= await this.#makeQueue())
    const [trial] = await this.#openTrials()
    const began = performance.now()
    const tried: Tried = { next: from, total: queue.length, tried: 0, hanging: 0, found: [], files: [] }
    const failing = this.#fault.failing.map(testId)
    const parts: Part[] = []
    const kept = new Map<string, number>()
    for (const [at, candidate] of queue.entries()) {
      let fixed = this.#parts.get(at)
      if (!fixed && at < PARTS_MAX && performance.now() - began < forMs * 0.5) {
        signal.throwIfAborted()
        const changed = isSilencing(candidate.kind) ? null : await this.#apply(candidate)
        if (changed === null) continue
        tried.tried++
        fixed = new Set(await trial!.runFailing(candidate.file, changed))
      }
      if (!fixed?.size || fixed.size === failing.length || isSilencing(candidate.kind)) continue
      const key = `${candidate.file} ${[...fixed].sort().join()}`
      const count = kept.get(key) ?? 0
      if (count >= PARTS_KEPT) continue
      kept.set(key, count + 1)
      parts.push({ candidate, fixes: fixed, at })
    }
    for (const pair of pairsOf(parts, failing)) {
      if (performance.now() - began > forMs * 0.75 || tried.found.length) break
      signal.throwIfAborted()
      const source = this.#sources.get(pair[0].file)!
      const joined = { ...pair[0], ...joinEdits(source, pair), kind: 'two_changes' as const }
      const changed = await this.#apply(joined)
      if (changed === null) continue
      tried.tried++
      const { verdict } = await trial!.run(joined.file, changed)
      if (verdict === 'passes') tried.found.push(makeFix(joined, source, changed))
    }
    if (!tried.found.length) await this.#keepParts(parts, { trial: trial!, tried, until: began + forMs, signal })
    tried.files = [...new Set(parts.map(({ candidate }) => candidate.file))]
    return tried
  }

  /** Of what fixes the most tests, what breaks none. */
  async #keepParts(parts: Part[], { trial, tried, until, signal }: KeepParts): Promise<void> {
    let most = 0
    for (const { candidate, fixes } of parts.toSorted((a, b) => b.fixes.size - a.fixes.size || a.at - b.at)) {
      if (performance.now() > until || fixes.size < most || tried.found.length >= FOUND_MAX) return
      signal.throwIfAborted()
      const changed = await this.#apply(candidate)
      if (changed === null || (await trial.runPassing(candidate.file, changed)) !== 'passes') continue
      const fixed = new Set(await trial.runFailing(candidate.file, changed))
      const leaves = this.#fault.failing.map(testId).filter((id) => !fixed.has(id))
      if (!fixed.size) continue
      most = fixes.size
      tried.found.push({ ...makeFix(candidate, this.#sources.get(candidate.file)!, changed), leaves })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const trial of this.#trials ?? []) await trial[Symbol.asyncDispose]()
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

  async #openTrials(): Promise<Trial[]> {
    if (this.#trials) return this.#trials
    // Fresh runs of a whole suite share its files, and use all cores as it is.
    const processes = availableParallelism() * languages[this.#broken.suite.language].benchesPerCore
    const room = Math.min(TRIALS_MAX, processes, Math.floor(freemem() / TRIAL_BYTES))
    const count = this.#fault.mode === 'warm' ? Math.max(room, 1) : 1
    this.#trials = []
    while (this.#trials.length < count) {
      this.#trials.push(await openTrial(this.#turn, this.#broken, this.#fault, this.#limits, this.#turn.signal))
    }
    return this.#trials
  }

  async #makeQueue(): Promise<Queued[]> {
    const queue: Queued[] = []
    const literals = await collectLiterals(this.#turn, this.#broken)
    const lenders = await readDonors(this.#turn, this.#broken.suite)
    for (const { file, lines } of this.#fault.files) {
      const source = await readSource(this.#turn, file)
      if (Buffer.byteLength(source) > this.#limits.sourceBytesMax) continue
      const grammar = grammarOf(file)
      this.#sources.set(file, source)
      const donors = await collectDonors(lenders, { file, source })
      const candidates = makeCandidates(await openParser(grammar), grammar, source, lines, { literals, donors })
      for (const candidate of candidates) queue.push({ ...candidate, file })
    }
    // Stable: within a file the order of `makeCandidates` stays.
    return queue.sort((a, b) => b.order - a.order).slice(0, this.#limits.candidatesMax)
  }
}

/** The likelier first; in the order of the text, and not one within the other. */
export function pairsOf(parts: Part[], failing: string[]): [Queued, Queued][] {
  const pairs: { pair: [Queued, Queued]; rank: number }[] = []
  for (const [index, first] of parts.entries()) {
    for (const second of parts.slice(index + 1)) {
      const [a, b] = [first.candidate, second.candidate].toSorted((one, other) => one.start - other.start)
      if (a!.file !== b!.file || a!.end > b!.start) continue
      if (!failing.every((id) => first.fixes.has(id) || second.fixes.has(id))) continue
      pairs.push({ pair: [a!, b!], rank: first.at + second.at })
    }
  }
  return pairs.sort((a, b) => a.rank - b.rank).map(({ pair }) => pair)
}
