import type { AgentRunLog } from '@runwright/sdk'
import { factsOf } from '#log/entry-facts.ts'

const editLinesMax = 12
const diffCharactersMax = 2_000

/** Open by themselves are the last failure, small edits, and what a search has found inside; all else is one line. */
export function isOpenAtFirst(
  entry: AgentRunLog,
  { lastFailure, hasQuery }: { lastFailure: number | null; hasQuery: boolean },
): boolean {
  if (hasQuery) return true
  if (entry.seq === lastFailure) return true
  const { diff } = factsOf(entry)
  return diff !== null && diff.length <= diffCharactersMax && diff.split('\n').length <= editLinesMax + 5
}
