import type { AgentRunLog } from '@runwright/sdk'
import { useRef } from 'react'
import type { Family, TraceView } from '#search.ts'
import { factsOf, hasWords } from './entry-facts.ts'

export type Filter = { only: Family | undefined; q: string; view: TraceView | undefined }

/**
 * The entries that are to be shown. Each is looked at once for each filter, however long the log is and however fast it
 * grows; so the list is the same object, longer.
 */
export function useFiltered(entries: readonly AgentRunLog[], { only, q, view }: Filter): readonly AgentRunLog[] {
  const kept = useRef<{ key: string; looked: number; list: AgentRunLog[] }>({ key: '', looked: 0, list: [] })
  const words = q.trim().toLowerCase()
  const key = JSON.stringify([only, words, view === 'reader'])
  if (kept.current.key !== key) kept.current = { key, looked: 0, list: [] }
  const state = kept.current
  for (; state.looked < entries.length; state.looked++) {
    const entry = entries[state.looked]!
    const facts = factsOf(entry)
    if (only && !facts.families.has(only)) continue
    if (view === 'reader' && facts.kind === 'tool' && !entry.thought) continue
    if (words && !hasWords(entry, words)) continue
    state.list.push(entry)
  }
  return state.list
}
