import { grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import type { Kind } from './candidates/kinds.ts'
import { applyCandidate, type Candidate, dialectOf } from './candidates/make-candidates.ts'
import { dropBrackets } from './candidates/drop-brackets.ts'
import { hashOf } from './find-fault.ts'
import { functionAround } from './function-around.ts'

/** An edit that made every test pass, with what is needed to make it, undo it and tell of it. */
export type Fix = {
  kind: Kind
  file: string
  line: number
  start: number
  end: number
  text: string
  /** What `text` takes the place of. */
  removed: string
  hash: string
  hashAfter: string
  before: string
  after: string
  where: string
  /** The failing tests that fail with it, too: none for a change that fixes all. */
  leaves: string[]
  /** How likely such a change is; and by how suspicious its line is, too. */
  prior: number
  score: number
}

/** What people read is written as they would write it, without idle brackets. */
export async function makeFix(candidate: Candidate & { file: string }, source: string): Promise<Fix> {
  const { kind, file, start, end, prior, score } = candidate
  const grammar = grammarOf(file)
  const text = dropBrackets(await openParser(grammar), dialectOf(grammar), source, candidate)
  const changed = applyCandidate(source, { start, end, text })
  const from = source.lastIndexOf('\n', start - 1) + 1
  const line = source.slice(0, start).split('\n').length
  return {
    kind,
    file,
    line,
    start,
    end,
    text,
    removed: source.slice(start, end),
    hash: hashOf(source),
    hashAfter: hashOf(changed),
    before: source.slice(from, endOfLine(source, end)).trimEnd(),
    after: changed.slice(from, endOfLine(changed, start + text.length)).trimEnd(),
    where: functionAround(source, line) ?? file,
    leaves: [],
    prior,
    score,
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
