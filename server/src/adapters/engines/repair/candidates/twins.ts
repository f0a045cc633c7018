import type { Node } from 'web-tree-sitter'
import { NAMES } from './dialect.ts'
import type { Edit } from './join-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** How much a statement has to say that its likeness to another is no chance. */
const SHAPE_MIN = 12
const STATEMENT_MAX = 120

/** Whether an edit sets the statement of a node apart from the one beside it, which is written the same but for its names. */
export type Twins = { parts: (edit: Edit) => boolean }

const noTwins: Twins = { parts: () => false }

/** Asked of every node, and found out once of each statement. */
export function findTwins({ dialect }: SourceFacts): (node: Node) => Twins {
  const found = new Map<number, Twins>()
  return (node) => {
    let statement: Node | null = node
    while (statement && !dialect.isStatement(statement)) statement = statement.parent
    if (!statement) return noTwins
    const twins = found.get(statement.id) ?? twinsOf(statement)
    found.set(statement.id, twins)
    return twins
  }
}

function twinsOf(statement: Node): Twins {
  const { text, startIndex, endIndex, nextNamedSibling, previousNamedSibling } = statement
  const shape = shapeOf(text)
  if (text.length > STATEMENT_MAX || shape.length < SHAPE_MIN || text.includes('\n')) return noTwins
  const hasTwin = [previousNamedSibling, nextNamedSibling].some((one) => one && shapeOf(one.text) === shape)
  if (!hasTwin) return noTwins
  return {
    parts: ({ start, end, text: put }) => {
      if (start < startIndex || end > endIndex) return false
      const changed = text.slice(0, start - startIndex) + put + text.slice(end - startIndex)
      return shapeOf(changed) !== shape
    },
  }
}

/** A text without its names. */
export function shapeOf(text: string): string {
  return text.replace(NAMES, '_')
}
