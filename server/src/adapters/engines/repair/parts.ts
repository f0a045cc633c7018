import { isSilencing, kinds } from './candidates/kinds.ts'
import { joinEdits } from './candidates/join-edits.ts'
import type { Candidate } from './candidates/make-candidates.ts'
import { type Fix, makeFix } from './fix.ts'
import { isFurther } from './lines-reached.ts'
import type { Reached, Trial, Tried } from './trial.ts'

/** How many of the likely edits are looked at again for what they fix in part. */
const ASKED_MAX = 600
/** Of those that fix the same part. */
const KEPT_MAX = 12
/** How many of the best are tried together with others, and with how many of these. */
const STEPS_MAX = 8
const COMPANIONS_MAX = 500
const EDITS_MAX = 3
export const FOUND_MAX = 12

export type Queued = Candidate & { file: string }
/** `isFurther`: whether failing tests fail later in their text, and none earlier. */
type Progress = { fixes: ReadonlySet<string> | null; reached: Reached; isFurther: boolean }
export type Part = { candidate: Queued; fixes: ReadonlySet<string>; at: number; reached: Reached }
type Step = { edits: Queued[]; fixes: ReadonlySet<string>; reached: Reached }
type Deps = {
  queue: readonly Queued[]
  trials: readonly Trial[]
  /** The ids of the failing tests, and how far each comes without a change. */
  failing: readonly string[]
  start: Reached
  sourceOf: (file: string) => string
  /** Null for what is no program any more. */
  apply: (candidate: Queued) => Promise<string | null>
}
type Asked = { tried: number; found: Fix[]; files: string[] }
type Within = { until: number; signal: AbortSignal }

/** What candidates fix in part, by their places in the queue; and the search for several that fix all together. */
export class Parts {
  readonly #deps: Deps
  readonly #progress = new Map<number, Progress>()
  /** What became of edits that were tried together, by what they make of the file. */
  readonly #together = new Map<string, Tried>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  note(at: number, { fixed, reached = {} }: Tried): void {
    const isFurther = isAhead(reached, this.#deps.start)
    const fixes = fixed ? new Set(fixed) : null
    this.#progress.set(at, { fixes, reached: isFurther || fixes?.size ? reached : {}, isFurther })
  }

  get areThere(): boolean {
    return [...this.#progress.values()].some(({ fixes, isFurther }) => isFurther || fixes?.size)
  }

  /** Two edits of one file that each make some failing tests pass, and together all; or up to three of which each comes further. */
  async tryTogether({ until, signal }: Within): Promise<Asked> {
    const began = performance.now()
    const asked: Asked = { tried: 0, found: [], files: [] }
    const isOver = () => performance.now() > until || asked.found.length > 0
    const parts = await this.#collect(asked, { until: began + (until - began) / 2, signal })
    asked.files = [...new Set(parts.map(({ candidate }) => candidate.file))]
    const tryEdits = async (trial: Trial, edits: Queued[]): Promise<Tried | null> => {
      signal.throwIfAborted()
      const joined = this.#join(edits)
      const key = `${joined.file} ${joined.start} ${joined.end} ${joined.text}`
      const known = this.#together.get(key)
      if (known) return known
      const changed = await this.#deps.apply(joined)
      if (changed === null) return null
      asked.tried++
      const tried = await trial.run(joined.file, changed, 'brief')
      this.#together.set(key, tried)
      if (tried.verdict === 'passes') asked.found.push(await makeFix(joined, this.#deps.sourceOf(joined.file)))
      return tried
    }
    await this.#sideBySide(pairsOf(parts, [...this.#deps.failing]), isOver, async (trial, pair) => {
      await tryEdits(trial, pair)
    })
    let steps: Step[] = best(parts.map(({ candidate, ...part }) => ({ edits: [candidate], ...part })))
    while (steps.length && !isOver() && steps[0]!.edits.length < EDITS_MAX) {
      const next: Step[] = []
      await this.#sideBySide(this.#extend(steps), isOver, async (trial, { step, edits }) => {
        const tried = await tryEdits(trial, edits)
        const { fixed = [], reached = {} } = tried ?? {}
        if (fixed.length > step.fixes.size || isAhead(reached, step.reached))
          next.push({ edits, fixes: new Set(fixed), reached })
      })
      steps = best(next)
    }
    return asked
  }

  /** Of what fixes the most tests, what breaks none: the others may fail for reasons of their own. */
  async tryAlone({ until, signal }: Within): Promise<Asked> {
    const { apply, failing, sourceOf, trials } = this.#deps
    const [trial] = trials
    const asked: Asked = { tried: 0, found: [], files: [] }
    const parts = await this.#collect(asked, { until: (performance.now() + until) / 2, signal }, Infinity)
    let most = 0
    for (const { candidate, fixes } of parts.toSorted((a, b) => b.fixes.size - a.fixes.size || a.at - b.at)) {
      if (performance.now() > until || fixes.size < Math.max(most, 1) || asked.found.length >= FOUND_MAX) break
      signal.throwIfAborted()
      const changed = await apply(candidate)
      if (changed === null || (await trial!.runPassing(candidate.file, changed)) !== 'passes') continue
      const fixed = new Set(await trial!.runFailing(candidate.file, changed))
      const leaves = failing.filter((id) => !fixed.has(id))
      if (!fixed.size) continue
      most = fixes.size
      asked.found.push({ ...(await makeFix(candidate, sourceOf(candidate.file))), leaves })
    }
    asked.files = [...new Set(parts.map(({ candidate }) => candidate.file))]
    return asked
  }

  async #collect(asked: Asked, within: Within, keptMax = KEPT_MAX): Promise<Part[]> {
    await this.#askLikely(asked, within)
    const { queue, failing } = this.#deps
    const parts: Part[] = []
    const kept = new Map<string, number>()
    for (const [at, candidate] of queue.entries()) {
      const progress = this.#progress.get(at)
      if (!progress || isSilencing(candidate.kind)) continue
      const { fixes, reached, isFurther } = progress
      if (fixes?.size === failing.length || !(fixes?.size || isFurther)) continue
      const key = `${candidate.file} ${JSON.stringify([[...(fixes ?? [])].sort(), isFurther ? reached : 0])}`
      const count = kept.get(key) ?? 0
      if (count >= keptMax) continue
      kept.set(key, count + 1)
      parts.push({ candidate, fixes: fixes ?? new Set(), at, reached })
    }
    return parts
  }

  /** Which failing tests pass with the likely edits, where not all were asked. */
  async #askLikely(asked: Asked, { until, signal }: Within): Promise<void> {
    const { queue, apply } = this.#deps
    const unasked = [...queue.slice(0, ASKED_MAX).entries()].filter(([at, { kind }]) => {
      const progress = this.#progress.get(at)
      return !progress?.fixes && !progress?.isFurther && !isSilencing(kind)
    })
    const isOver = () => performance.now() > until
    await this.#sideBySide(unasked, isOver, async (trial, [at, candidate]) => {
      signal.throwIfAborted()
      const changed = await apply(candidate)
      if (changed === null) return
      asked.tried++
      const fixes = new Set(await trial.runFailing(candidate.file, changed, 'brief'))
      this.#progress.set(at, { fixes, reached: {}, isFurther: false })
    })
  }

  /** Each step with each of the likeliest candidates besides, these in their order. */
  *#extend(steps: Step[]): Generator<{ step: Step; edits: Queued[] }> {
    for (const candidate of this.#deps.queue.slice(0, COMPANIONS_MAX)) {
      for (const step of steps) {
        const edits = [...step.edits, candidate].toSorted((a, b) => a.start - b.start)
        if (areApart(edits)) yield { step, edits }
      }
    }
  }

  #join(edits: Queued[]): Queued {
    const kind = edits.length > 2 ? 'three_changes' : 'two_changes'
    const [first] = edits
    const prior = kinds[kind][0] * Math.min(...edits.map((one) => one.prior))
    return {
      ...first!,
      ...joinEdits(this.#deps.sourceOf(first!.file), edits),
      kind,
      prior,
      score: prior * first!.score,
    }
  }

  async #sideBySide<T>(items: Iterable<T>, isOver: () => boolean, act: (trial: Trial, item: T) => Promise<void>) {
    const iterator = items[Symbol.iterator]()
    const work = async (trial: Trial) => {
      for (let next = iterator.next(); !next.done && !isOver(); next = iterator.next()) await act(trial, next.value)
    }
    await Promise.all(this.#deps.trials.map(work))
  }
}

function isAhead(reached: Reached, before: Reached): boolean {
  const ids = Object.keys(reached)
  const isAny = (one: Reached, other: Reached) => ids.some((id) => isFurther(one[id] ?? [], other[id] ?? []))
  return isAny(reached, before) && !isAny(before, reached)
}

/** Those that fix the most tests, then those that come furthest. */
function best(steps: Step[]): Step[] {
  const depth = ({ reached }: Step) =>
    Object.values(reached)
      .flat()
      .reduce((sum, line) => sum + line, 0)
  return steps.toSorted((a, b) => b.fixes.size - a.fixes.size || depth(b) - depth(a)).slice(0, STEPS_MAX)
}

/** In one file, and not one within the other. */
function areApart(edits: Queued[]): boolean {
  return edits.every(({ file, start }, at) => at === 0 || (file === edits[0]!.file && start >= edits[at - 1]!.end))
}

/** The likelier first; in the order of the text. */
export function pairsOf(parts: Part[], failing: string[]): [Queued, Queued][] {
  const pairs: { pair: [Queued, Queued]; rank: number }[] = []
  for (const [index, first] of parts.entries()) {
    for (const second of parts.slice(index + 1)) {
      const [a, b] = [first.candidate, second.candidate].toSorted((one, other) => one.start - other.start)
      if (!areApart([a!, b!])) continue
      if (!failing.every((id) => first.fixes.has(id) || second.fixes.has(id))) continue
      pairs.push({ pair: [a!, b!], rank: first.at + second.at })
    }
  }
  return pairs.sort((a, b) => a.rank - b.rank).map(({ pair }) => pair)
}
