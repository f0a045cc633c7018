import type { Node, Parser } from 'web-tree-sitter'
import { javascriptDialect } from './javascript-dialect.ts'
import { javascriptEdits } from './javascript-edits.ts'
import { type Kind, kinds } from './kinds.ts'
import { loopEdits } from './loop-edits.ts'
import { nameEdits } from './name-edits.ts'
import { operatorEdits } from './operator-edits.ts'
import { pythonDialect } from './python-dialect.ts'
import { pythonEdits } from './python-edits.ts'
import { SourceFacts } from './source-facts.ts'
import type { Grammar } from '#adapters/engines/syntax/open-parser.ts'
import { wideEdits } from './wide-edits.ts'

/** One edit of one file: the text from `start` to `end` becomes `text`. */
export type Candidate = { kind: Kind; start: number; end: number; text: string; line: number; score: number }

/**
 * Every single edit at a line that a failing test ran, best first: how often such an edit is right, times how suspicious
 * its line is; of equals, the smaller. The same source and lines give the same list.
 */
export function makeCandidates(
  parser: Parser,
  grammar: Grammar,
  source: string,
  suspicions: Record<string, number>,
): Candidate[] {
  const tree = parser.parse(source)
  if (!tree) return []
  try {
    const dialect = grammar === 'python' ? pythonDialect : javascriptDialect
    const own = grammar === 'python' ? pythonEdits : javascriptEdits
    const facts = new SourceFacts(source, tree.rootNode, dialect)
    const found = new Map<string, Candidate & { size: number }>()
    for (const node of facts.nodes) {
      const suspicion = suspicionOf(node, facts, suspicions)
      if (!suspicion) continue
      for (const operator of [...operatorEdits, ...nameEdits, ...loopEdits, ...own, ...wideEdits]) {
        operator(node, facts, (kind, start, end, text) => {
          const before = source.slice(start, end)
          const key = `${start}:${end}:${text}`
          if (before === text) return
          const [prior] = kinds[kind]
          const known = found.get(key)
          if (known && known.score >= prior * suspicion) return
          const size = Math.abs(text.length - before.length) + Math.min(text.length, before.length) / 4
          const line = node.startPosition.row + 1
          found.set(key, { kind, start, end, text, line, score: prior * suspicion, size })
        })
      }
    }
    return [...found.values()]
      .sort((a, b) => b.score - a.score || a.size - b.size || a.start - b.start || compareText(a.text, b.text))
      .map(({ size: _size, ...candidate }) => candidate)
  } finally {
    tree.delete()
  }
}

export function applyCandidate(source: string, candidate: Pick<Candidate, 'start' | 'end' | 'text'>): string {
  return source.slice(0, candidate.start) + candidate.text + source.slice(candidate.end)
}

/** Of the node's own line, or of its statement's: a tracer names only the first line of many a statement. */
function suspicionOf(node: Node, { dialect }: SourceFacts, suspicions: Record<string, number>): number {
  let suspicion = suspicions[node.startPosition.row + 1] ?? 0
  for (let at: Node | null = node; at; at = at.parent) {
    if (dialect.isFunction(at) && at.id !== node.id) break
    if (!dialect.isStatement(at)) continue
    suspicion = Math.max(suspicion, suspicions[at.startPosition.row + 1] ?? 0)
    break
  }
  return suspicion
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
