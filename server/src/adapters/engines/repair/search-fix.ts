import type { Entry, Turn } from '#adapters/engines/engine.ts'
import { kinds } from './candidates/kinds.ts'
import type { Fault } from './find-fault.ts'
import type { Fix } from './fix.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Broken } from './run-tests.ts'
import { Searcher, type Tried } from './searcher.ts'

export type Search = {
  found: Fix[]
  tried: number
  hanging: number
  files: string[]
  isExhausted: boolean
  seconds: number
}

type Chunk = Tried & { seconds: number }

/** When several edits are tried together for a short while, and when again, for as long as there is. */
const SINGLES_SHARE = 0.35
const ALL_SINGLES_SHARE = 0.8
const TOGETHER_SHARE = 0.1
/** Sooner where so many single ones have been tried by then. */
const SOON_MS = 20_000
const MANY = 500
/** What fixes some of the tests comes at the end. */
const ALONE_SHARE = 0.1

/** Tries candidates, best first, until one makes all tests pass; then a little longer, for alternatives. */
export async function searchFix(turn: Turn, broken: Broken, fault: Fault, limits: RepairLimits): Promise<Search> {
  const all: Chunk = {
    next: 0,
    total: 1,
    left: 0,
    tried: 0,
    hanging: 0,
    found: [],
    seconds: 0,
    files: [],
    hasParts: false,
  }
  const { searchMs, searchStepMs } = limits
  const mayBePart = fault.failing.length > 1
  await using searcher = new Searcher(turn, broken, fault, limits)
  let part = 0
  const leftMs = (untilMs: number) => untilMs - all.seconds * 1000
  const trySingles = async (untilMs: number, isEnough = () => false) => {
    while (!isDone(all) && !all.found.length && leftMs(untilMs) > 0 && !isEnough()) {
      const forMs = Math.min(searchStepMs, leftMs(untilMs))
      addTo(all, await tryPart(turn, `${++part}`, all, (signal) => searcher.try(all.next, forMs, signal)))
    }
  }
  const tryTogether = async (key: string, forMs: number) => {
    if (all.found.length || forMs <= 0 || !(mayBePart || all.hasParts)) return
    addTo(all, await tryPart(turn, key, all, (signal) => searcher.tryTogether(all.next, forMs, signal)))
  }
  const aloneMs = mayBePart ? searchMs * ALONE_SHARE : 0
  await trySingles(searchMs * SINGLES_SHARE, () => all.tried >= MANY && leftMs(SOON_MS) <= 0)
  if (!isDone(all)) await tryTogether('pairs', searchMs * TOGETHER_SHARE)
  await trySingles(searchMs * ALL_SINGLES_SHARE)
  await tryTogether('pairs/2', leftMs(searchMs - aloneMs))
  await trySingles(searchMs - aloneMs)
  if (mayBePart && !all.found.length)
    addTo(all, await tryPart(turn, 'alone', all, (signal) => searcher.tryAlone(all.next, aloneMs, signal)))
  const { found, tried, hanging, files, seconds } = all
  return { found, tried, hanging, files, seconds, isExhausted: isDone(all) }
}

function isDone({ next, total, left }: Chunk): boolean {
  return next >= total && !left
}

function addTo(all: Chunk, chunk: Chunk): void {
  all.next = chunk.next
  all.total = chunk.total
  all.left = chunk.left
  all.tried += chunk.tried
  all.hanging += chunk.hanging
  all.seconds += chunk.seconds
  all.hasParts ||= chunk.hasParts
  all.found.push(...chunk.found)
  all.files = [...new Set([...all.files, ...chunk.files])]
}

async function tryPart(
  turn: Turn,
  part: string,
  { next }: Chunk,
  act: (signal: AbortSignal) => Promise<Tried>,
): Promise<Chunk> {
  return turn.step(
    { key: `t${turn.number}/search/${part}`, kind: 'tool', request: { tool: 'try_candidates', from: next } },
    async (signal) => {
      const began = performance.now()
      const tried = await act(signal)
      const chunk: Chunk = { ...tried, seconds: Math.round(performance.now() - began) / 1000 }
      return { response: chunk, entries: [describePart(chunk, next, part)] }
    },
  )
}

const thoughts: Record<string, string> = {
  pairs:
    'No likely change is enough by itself: several may be together, of which each makes some of the failing tests pass or come further.',
  alone: 'Some of the failing tests may fail for reasons of their own: what fixes the others?',
}

function describePart(chunk: Chunk, from: number, part: string): Entry {
  const perSecond = Math.round(chunk.tried / Math.max(chunk.seconds, 0.001))
  const counted = `${chunk.tried} changes tried in ${chunk.files.join(', ') || 'no file'} (${perSecond} a second)`
  const lines = chunk.found.map(
    (fix) => `${fix.file}:${fix.line}: ${kinds[fix.kind][1]}: ${fix.before.trim()} → ${fix.after.trim()}`,
  )
  const leaves = chunk.found[0]?.leaves.length ?? 0
  const outcome = !chunk.found.length
    ? '; none makes all tests pass.'
    : `. ${leaves ? `All but ${leaves} of the failing tests pass, and no other fails,` : 'All tests pass'} with:\n${lines.join('\n')}`
  return {
    messageType: 'ACTION',
    toolName: 'try_candidates',
    thought:
      thoughts[part.split('/')[0]!] ??
      (from === 0
        ? 'Small changes at suspicious lines, the likely ones first; each must make every test pass.'
        : 'Nothing yet: the search goes on with less likely changes.'),
    toolInput: { from, candidates: chunk.total },
    toolOutput: {
      tried: chunk.tried,
      hanging: chunk.hanging,
      found: chunk.found.length,
      seconds: chunk.seconds,
      files: chunk.files,
    },
    observation: `${counted}${outcome}`,
    durationMs: Math.round(chunk.seconds * 1000),
  }
}
