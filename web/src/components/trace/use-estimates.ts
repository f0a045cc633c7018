import type { AgentRunLog } from '@runwright/sdk'
import { useRef } from 'react'
import type { Filter } from '#log/use-filtered.ts'
import { estimateHeight } from './estimate-height.ts'
import { isOpenAtFirst } from './is-open-at-first.ts'

type Estimates = { of: readonly AgentRunLog[]; heights: number[] }

/**
 * About how high each entry is, as long as nobody has folded it or opened it. The list asks for all of them again whenever one
 * is measured, so each is worked out once: the answer is the same object, with more in it, until the entries or the view are others.
 */
export function useEstimates(entries: readonly AgentRunLog[], { view, q }: Filter): Estimates {
  const kept = useRef<Estimates & { key: string }>({ of: [], key: '', heights: [] })
  const key = `${view} ${q !== ''}`
  if (kept.current.of !== entries || kept.current.key !== key) kept.current = { of: entries, key, heights: [] }
  const { heights } = kept.current
  for (let n = heights.length; n < entries.length; n++) {
    const entry = entries[n]!
    const isOpen = isOpenAtFirst(entry, { log: null, hasQuery: q !== '' })
    heights.push(estimateHeight(entry, { isOpen, view }))
  }
  return kept.current
}
