import { functionAround } from './function-around.ts'
import type { Entry, Outcome, Turn } from '#adapters/engines/engine.ts'
import { type Kind, kinds } from './candidates/kinds.ts'
import { applyCandidate, type Candidate, makeCandidates } from './candidates/make-candidates.ts'
import { type Grammar, grammarOf, hasSyntaxError, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { type Fault, hashOf, readSource } from './find-fault.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Broken } from './run-tests.ts'
import { openTrial, type Trial } from './trial.ts'

const FOUND_MAX = 4

/** An edit that made every test pass, with what is needed to make it, undo it and tell of it. */
export type Fix = {
  kind: Kind
  file: string
  line: number
  start: number
  end: number
  text: string
  /** What `text` takes the place of. */
  removed: string
  hash: string
  hashAfter: string
  before: string
  after: string
  where: string
}

export type Search = {
  found: Fix[]
  tried: number
  hanging: number
  files: string[]
  isExhausted: boolean
  seconds: number
}

type Chunk = {
  next: number
  total: number
  tried: number
  hanging: number
  found: Fix[]
  seconds: number
  files: string[]
}
type Queued = Candidate & { file: string }

/** Tries candidates, best first, until one makes all tests pass; then a little longer, for alternatives. */
export async function searchFix(turn: Turn, broken: Broken, fault: Fault, limits: RepairLimits): Promise<Search> {
  const all: Chunk = { next: 0, total: 1, tried: 0, hanging: 0, found: [], seconds: 0, files: [] }
  await using searcher = new Searcher(turn, broken, fault, limits)
  for (let part = 1; all.next < all.total && !isDone(all, limits); part++) {
    const chunk: Chunk = await turn.step(
      { key: `t${turn.number}/search/${part}`, kind: 'tool', request: { tool: 'try_candidates', from: all.next } },
      (signal) => searcher.searchPart(all, signal),
    )
    all.next = chunk.next
    all.total = chunk.total
    all.tried += chunk.tried
    all.hanging += chunk.hanging
    all.seconds += chunk.seconds
    all.found.push(...chunk.found)
    all.files = [...new Set([...all.files, ...chunk.files])]
  }
  const { found, tried, hanging, files, seconds } = all
  return { found, tried, hanging, files, seconds, isExhausted: all.next >= all.total }
}

function isDone(all: Chunk, limits: RepairLimits): boolean {
  return all.found.length > 0 || all.seconds * 1000 >= limits.searchMs
}

/** Holds the candidates and the test bench from one part of the search to the next. Both are made when first needed. */
class Searcher implements AsyncDisposable {
  readonly #turn: Turn
  readonly #broken: Broken
  readonly #fault: Fault
  readonly #limits: RepairLimits
  #trial: Trial | undefined
  #queue: Queued[] | undefined
  readonly #sources = new Map<string, string>()

  constructor(turn: Turn, broken: Broken, fault: Fault, limits: RepairLimits) {
    this.#turn = turn
    this.#broken = broken
    this.#fault = fault
    this.#limits = limits
  }

  async searchPart(all: Chunk, signal: AbortSignal): Promise<Outcome<Chunk>> {
    const queue = (this.#queue ??= await this.#makeQueue())
    const trial = (this.#trial ??= await openTrial(
      this.#turn,
      this.#broken,
      this.#fault,
      this.#limits,
      this.#turn.signal,
    ))
    const began = performance.now()
    const leftMs = this.#limits.searchMs - all.seconds * 1000
    let endMs = Math.min(this.#limits.searchStepMs, leftMs)
    const chunk: Chunk = { next: all.next, total: queue.length, tried: 0, hanging: 0, found: [], seconds: 0, files: [] }
    const files = new Set<string>()
    while (chunk.next < queue.length && performance.now() - began < endMs && chunk.found.length < FOUND_MAX) {
      signal.throwIfAborted()
      const candidate = queue[chunk.next++]!
      const source = this.#sources.get(candidate.file)!
      const changed = applyCandidate(source, candidate)
      if (hasSyntaxError(await openParser(grammarOf(candidate.file)), changed)) continue
      files.add(candidate.file)
      chunk.tried++
      const verdict = await trial.run(candidate.file, changed)
      if (verdict === 'hangs') chunk.hanging++
      if (verdict !== 'passes') continue
      const fix = makeFix(candidate, source, changed)
      if (chunk.found.some((other) => other.hashAfter === fix.hashAfter)) continue
      if (!chunk.found.length) endMs = performance.now() - began + this.#limits.alternativesMs
      chunk.found.push(fix)
    }
    chunk.seconds = Math.round(performance.now() - began) / 1000
    chunk.files = [...files]
    return { response: chunk, entries: [describePart(chunk, all)] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#trial?.[Symbol.asyncDispose]()
  }

  async #makeQueue(): Promise<Queued[]> {
    const queue: Queued[] = []
    for (const { file, lines } of this.#fault.files) {
      const source = await readSource(this.#turn, file)
      if (Buffer.byteLength(source) > this.#limits.sourceBytesMax) continue
      const grammar: Grammar = grammarOf(file)
      this.#sources.set(file, source)
      const candidates = makeCandidates(await openParser(grammar), grammar, source, lines)
      for (const candidate of candidates) queue.push({ ...candidate, file })
    }
    // Stable: within a file the order of `makeCandidates` stays.
    return queue.sort((a, b) => b.score - a.score).slice(0, this.#limits.candidatesMax)
  }
}

function makeFix({ kind, file, start, end, text }: Queued, source: string, changed: string): Fix {
  const hash = hashOf(source)
  const from = source.lastIndexOf('\n', start - 1) + 1
  const line = source.slice(0, start).split('\n').length
  return {
    kind,
    file,
    line,
    start,
    end,
    text,
    removed: source.slice(start, end),
    hash,
    hashAfter: hashOf(changed),
    before: source.slice(from, endOfLine(source, end)).trimEnd(),
    after: changed.slice(from, endOfLine(changed, start + text.length)).trimEnd(),
    where: functionAround(source, line) ?? file,
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function describePart(chunk: Chunk, all: Chunk): Entry {
  const perSecond = Math.round(chunk.tried / Math.max(chunk.seconds, 0.001))
  const counted = `${chunk.tried} changes tried in ${chunk.files.join(', ') || 'no file'} (${perSecond} a second)`
  const lines = chunk.found.map(
    (fix) => `${fix.file}:${fix.line}: ${kinds[fix.kind][1]}: ${fix.before.trim()} → ${fix.after.trim()}`,
  )
  return {
    messageType: 'ACTION',
    toolName: 'try_candidates',
    thought:
      all.next === 0
        ? 'Small changes at suspicious lines, the likely ones first; each must make every test pass.'
        : 'Nothing yet: the search goes on with less likely changes.',
    toolInput: { from: all.next, candidates: chunk.total },
    toolOutput: {
      tried: chunk.tried,
      hanging: chunk.hanging,
      found: chunk.found.length,
      seconds: chunk.seconds,
      files: chunk.files,
    },
    observation: chunk.found.length
      ? `${counted}. All tests pass with:\n${lines.join('\n')}`
      : `${counted}; none makes all tests pass.`,
    durationMs: Math.round(chunk.seconds * 1000),
  }
}
