import type { AgentRunLog } from '@runwright/sdk'
import { useEffect, useReducer, useRef } from 'react'
import { families, type Family, type TraceView } from '#base/search.ts'
import { factsOf, hasWords } from './entry-facts.ts'

export type Filter = { only: Family | undefined; q: string; view: TraceView | undefined }

export type Filtered = {
  /** The entries to show. */
  entries: readonly AgentRunLog[]
  /** How many entries have the words, of any kind and of each kind. */
  total: number
  counts: Readonly<Record<Family, number>>
  /** Whether all entries have been searched. */
  isComplete: boolean
}

/** A long search gives the page its turn this often. */
const sliceMs = 12
/** The clock is read once for this many entries. */
const entriesPerLook = 256

/** The words being searched for, as they are compared. */
export const wordsOf = (q: string): string => q.trim().toLowerCase()

type Found = { words: string; looked: number; list: AgentRunLog[]; counts: Record<Family, number> }
type Shown = { key: string; of: readonly AgentRunLog[]; looked: number; list: AgentRunLog[] }

/**
 * The entries to show, and how many there are of each kind. Each entry is looked at once for each filter, however long the log is and
 * however fast it grows: the list is the same object, longer. Words are searched for in slices, so that the page stays responsive.
 */
export function useFiltered(all: readonly AgentRunLog[], { only, q, view }: Filter): Filtered {
  const [slice, again] = useReducer((n: number) => n + 1, 0)
  const words = wordsOf(q)
  const found = useRef<Found>(search(''))
  if (found.current.words !== words) found.current = search(words)
  lookOn(found.current, all)
  const { list, counts, looked } = found.current
  const shown = useRef<Shown>({ key: '', of: list, looked: 0, list: [] })
  const key = JSON.stringify([only, view === 'reader'])
  if (shown.current.key !== key || shown.current.of !== list) shown.current = { key, of: list, looked: 0, list: [] }
  const state = shown.current
  for (; state.looked < list.length; state.looked++) {
    const entry = list[state.looked]!
    const facts = factsOf(entry)
    if (only && !facts.families.has(only)) continue
    if (view === 'reader' && facts.kind === 'tool' && !entry.thought) continue
    state.list.push(entry)
  }
  const isComplete = looked >= all.length
  useEffect(() => {
    if (isComplete) return undefined
    const timer = setTimeout(again, 0)
    return () => clearTimeout(timer)
  }, [isComplete, slice])
  return { entries: state.list, total: list.length, counts, isComplete }
}

const search = (words: string): Found => ({
  words,
  looked: 0,
  list: [],
  counts: Object.fromEntries(families.map((family) => [family, 0])) as Record<Family, number>,
})

function lookOn(found: Found, all: readonly AgentRunLog[]): void {
  const { words, list, counts } = found
  const until = performance.now() + sliceMs
  for (; found.looked < all.length; found.looked++) {
    if (words && found.looked % entriesPerLook === 0 && performance.now() > until) return
    const entry = all[found.looked]!
    if (words && !hasWords(entry, words)) continue
    list.push(entry)
    for (const family of factsOf(entry).families) counts[family]++
  }
}
