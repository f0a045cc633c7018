import { applyCandidate, makeCandidates } from '#adapters/engines/repair/candidates/make-candidates.ts'
import type { Kind } from '#adapters/engines/repair/candidates/kinds.ts'
import { type Grammar, openParser } from '#adapters/engines/syntax/open-parser.ts'

/** What each candidate makes of a source, the likeliest first; `lines`: those that a failing test runs, or all of them. */
export async function madeChanges(
  grammar: Grammar,
  source: string,
  lines?: number[],
): Promise<{ kind: Kind; changed: string }[]> {
  const request = lines ?? source.split('\n').map((_, at) => at + 1)
  const parser = await openParser(grammar)
  const candidates = makeCandidates(parser, grammar, source, Object.fromEntries(request.map((line) => [line, 1])))
  return candidates.map((candidate) => ({ kind: candidate.kind, changed: applyCandidate(source, candidate) }))
}
