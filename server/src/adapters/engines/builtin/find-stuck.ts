import type { Deed } from './conversation.ts'

const SAME_MAX = 4
const SAME_ERROR_MAX = 3
const ALTERNATIONS = 6
const EDITS_WITHOUT_CHANGE_MAX = 5
const STEPS_WITHOUT_NEWS_MAX = 12
const TIMEOUTS_MAX = 3

/** In what way the newest calls go round in circles; null when they do not. */
export function findStuck(deeds: readonly Deed[]): string | null {
  const plain = deeds.map((deed) => ({ ...deed, outcome: `${deed.call}\n${withoutChance(deed.result)}` }))
  const newest = plain.at(-1)
  if (!newest) return null
  if (newest.isError && isSame(plain, SAME_ERROR_MAX))
    return `the same call failed ${SAME_ERROR_MAX} times in the same way`
  if (isSame(plain, SAME_MAX)) return `the same call gave the same result ${SAME_MAX} times`
  if (isAlternating(plain)) return 'the same two calls take turns, with the same results'
  const shells = plain.filter(({ tool }) => tool === 'shell')
  if (shells.length >= TIMEOUTS_MAX && shells.slice(-TIMEOUTS_MAX).every(({ timedOut }) => timedOut)) {
    return `${TIMEOUTS_MAX} commands in a row ran into their time limit`
  }
  const path = pathEditedInVain(plain)
  if (path) return `a command still fails in the same way after ${EDITS_WITHOUT_CHANGE_MAX} edits of ${path}`
  if (bringsNoNews(plain)) return `${STEPS_WITHOUT_NEWS_MAX} calls in a row brought nothing new`
  return null
}

type PlainDeed = Deed & { outcome: string }

function isSame(deeds: PlainDeed[], times: number): boolean {
  const last = deeds.slice(-times)
  return last.length === times && last.every(({ outcome }) => outcome === last[0]?.outcome)
}

function isAlternating(deeds: PlainDeed[]): boolean {
  const last = deeds.slice(-ALTERNATIONS).map(({ outcome }) => outcome)
  return (
    last.length === ALTERNATIONS && last[0] !== last[1] && last.every((outcome, index) => outcome === last[index % 2])
  )
}

function pathEditedInVain(deeds: PlainDeed[]): string | null {
  const newest = deeds.at(-1)
  if (!newest?.isError || newest.tool !== 'shell') return null
  const first = deeds.findIndex(({ outcome }) => outcome === newest.outcome)
  const edits = new Map<string, number>()
  for (const path of deeds.slice(first).flatMap(({ editedPaths }) => editedPaths)) {
    edits.set(path, (edits.get(path) ?? 0) + 1)
  }
  for (const [path, count] of edits) if (count >= EDITS_WITHOUT_CHANGE_MAX) return path
  return null
}

function bringsNoNews(deeds: PlainDeed[]): boolean {
  if (deeds.length <= STEPS_WITHOUT_NEWS_MAX) return false
  const known = new Set(deeds.slice(0, -STEPS_WITHOUT_NEWS_MAX).map(newsOf))
  return deeds.slice(-STEPS_WITHOUT_NEWS_MAX).every((deed) => deed.editedPaths.length === 0 && known.has(newsOf(deed)))
}

/** A new call that fails as another one did is no news: a search with another number each time could go on for ever. */
function newsOf({ isError, outcome, call }: PlainDeed): string {
  return isError ? outcome.slice(call.length) : outcome
}

/** Leaves out what differs from one time to the next by chance: times, durations, process ids, addresses, names of steps. */
function withoutChance(text: string): string {
  return text
    .replace(/\bstep t\d+-[\d.]+\]/g, '#]')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, '#')
    .replace(/\b\d\d?:\d\d(:\d\d(\.\d+)?)?\b/g, '#')
    .replace(/\b\d+(\.\d+)?\s?(ms|s|sec|seconds?|minutes?|µs)\b/g, '#')
    .replace(/\b(pid|process)[ :=#]*\d+/gi, '#')
    .replace(/\b0x[0-9a-f]+\b/gi, '#')
    .replace(/\b(duration_ms|time)[ :=]+\d+(\.\d+)?/g, '#')
}
