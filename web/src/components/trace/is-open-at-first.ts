import type { AgentRunLog } from '@runwright/sdk'
import { factsOf } from '#log/entry-facts.ts'
import type { Log } from '#log/use-log.ts'

const editLinesMax = 12
const diffCharactersMax = 2_000

type Look = { log: Pick<Log, 'lastFailure' | 'lastExit'> | null; hasQuery: boolean }

/** Open by default: the last failure, the failing step before it, small edits, and matches of a search. Everything else is one line. */
export function isOpenAtFirst(entry: AgentRunLog, { log, hasQuery }: Look): boolean {
  if (hasQuery) return true
  if (log && (entry.seq === log.lastFailure || entry.seq === log.lastExit)) return true
  const { diff } = factsOf(entry)
  return diff !== null && diff.length <= diffCharactersMax && diff.split('\n').length <= editLinesMax + 5
}
