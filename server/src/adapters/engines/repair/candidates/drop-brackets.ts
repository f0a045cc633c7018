import type { Node, Parser } from 'web-tree-sitter'
import { walk } from '#adapters/engines/syntax/open-parser.ts'
import { type Dialect, PATH } from './dialect.ts'
import type { Edit } from './join-edits.ts'
import { applyCandidate } from './make-candidates.ts'

/** What holds together by itself. */
const WHOLE = /^(call|call_expression|integer|float|number|string|true|false|none|null|list|array|template_string)$/
/** What takes a part of a value, and would take it of less without the brackets. */
const TAKES_PART = /^(attribute|member_expression|selector_expression|subscript|call|index_expression)/
/** Operators that each language ranks in its own way. */
const BITS = /^([&|^]|<<|>>)$/

/** The text of an edit without the brackets that it brings and that neither the language nor a reader needs. */
export function dropBrackets(parser: Parser, dialect: Dialect, source: string, edit: Edit): string {
  const before = structureOf(parser, applyCandidate(source, edit))
  if (before === null) return edit.text
  let { text } = edit
  for (let shorter: string | undefined = text; shorter !== undefined;) {
    text = shorter
    const without = bracketsIn(parser, dialect, source, { ...edit, text }).map(
      (one) => text.slice(0, one.start - edit.start) + one.text + text.slice(one.end - edit.start),
    )
    shorter = without.find((other) => structureOf(parser, applyCandidate(source, { ...edit, text: other })) === before)
  }
  return text
}

/** Those that may go, with what is in them. */
function bracketsIn(parser: Parser, dialect: Dialect, source: string, edit: Edit): Edit[] {
  const tree = parser.parse(applyCandidate(source, edit))
  if (!tree) return []
  const removed = source.slice(edit.start, edit.end)
  const end = edit.start + edit.text.length
  try {
    return walk(tree.rootNode)
      .filter(
        (node) => node.type === 'parenthesized_expression' && node.startIndex >= edit.start && node.endIndex <= end,
      )
      .filter((node) => !removed.includes(node.text) && mayGo(node, dialect))
      .map((node) => ({ start: node.startIndex, end: node.endIndex, text: node.namedChild(0)!.text }))
  } finally {
    tree.delete()
  }
}

/** Whether people would write it without: by what is in it and around it. */
function mayGo(brackets: Node, dialect: Dialect): boolean {
  const { parent, namedChildCount, text } = brackets
  const inner = brackets.namedChild(0)
  if (!parent || !inner || namedChildCount !== 1 || text.includes('\n') || TAKES_PART.test(parent.type)) return false
  if (PATH.test(inner.type) || WHOLE.test(inner.type)) return true
  const around = operatorOf(parent, dialect)
  const within = operatorOf(inner, dialect)
  if (!around) return !/operator|unary|not|await|ternary|conditional|spread/.test(parent.type)
  return within !== null && (within.rank > around.rank || within.sign === around.sign) && !BITS.test(within.sign)
}

function operatorOf(node: Node, dialect: Dialect): { sign: string; rank: number } | null {
  const found = [dialect.boolean(node), dialect.comparison(node), dialect.arithmetic(node)]
  const rank = found.findIndex((one) => one !== null)
  if (rank < 0) return null
  const sign = found[rank]!.operator.text
  return { sign, rank: /[*/%]/.test(sign) ? rank + 1 : rank }
}

/** What a program is, brackets not counted; null for what is none. */
function structureOf(parser: Parser, source: string): string | null {
  const tree = parser.parse(source)
  try {
    if (!tree || tree.rootNode.hasError) return null
    const parts = walk(tree.rootNode).flatMap((node) => {
      const isBracket = node.parent?.type === 'parenthesized_expression' && /^[()]$/.test(node.text)
      if (isBracket || node.type === 'parenthesized_expression') return []
      return node.childCount ? `${node.type}/${node.childCount}` : node.text
    })
    return parts.join(' ')
  } finally {
    tree?.delete()
  }
}
