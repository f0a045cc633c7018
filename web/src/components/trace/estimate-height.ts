import type { AgentRunLog } from '@runwright/sdk'
import { factsOf } from '#log/entry-facts.ts'
import type { TraceView } from '#base/search.ts'

const lineCharacters = 84
const lineHeight = 22

/** About how high an entry is, before it is there to be measured. */
export function estimateHeight(
  entry: AgentRunLog,
  { isOpen, view }: { isOpen: boolean; view: TraceView | undefined },
): number {
  if (view === 'timeline') return 28
  const { kind } = factsOf(entry)
  const thought = entry.thought ? linesOf(entry.thought) * lineHeight + 6 : 0
  if (kind === 'tool') return thought + (isOpen ? 240 : 34)
  if (kind === 'plan') return thought + 26
  const text = typeof entry.observation === 'string' ? entry.observation : ''
  return thought + 60 + linesOf(text) * lineHeight
}

function linesOf(text: string): number {
  let lines = Math.ceil(text.length / lineCharacters)
  for (let at = text.indexOf('\n'); at >= 0 && lines < 200; at = text.indexOf('\n', at + 1)) lines++
  return Math.max(1, lines)
}
