import type { Node } from 'web-tree-sitter'
import { type Dialect, partOwner } from './dialect.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators on what stands in the wrong order: indexes, and the calls of a chain. */
export const orderEdits: Operator[] = [swapIndexes, moveCalls]

const INDEXED = /^(subscript|subscript_expression|index_expression)$/

/** `grid[x][y]` → `grid[y][x]`. */
function swapIndexes(node: Node, { source }: SourceFacts, add: Add): void {
  const inner = INDEXED.test(node.type) ? partOwner(node) : null
  const list = inner && INDEXED.test(inner.type) ? partOwner(inner) : null
  if (!inner || !list) return
  const first = source.slice(list.endIndex, inner.endIndex)
  const second = source.slice(inner.endIndex, node.endIndex)
  if (first !== second) add('swapped_arguments', list.endIndex, node.endIndex, second + first)
}

const LINKS_MAX = 8
const MEMBER = /^(attribute|member_expression|selector_expression)$/

/** `text.a().b()` → `text.b().a()`, of whole chains: two calls in a row, or the last of them all as the first, and the other way round. */
function moveCalls(node: Node, { source, dialect }: SourceFacts, add: Add): void {
  const links = linksOf(node, source, dialect)
  if (MEMBER.test(node.parent?.type ?? '') || links.length < 2 || links.length > LINKS_MAX) return
  const start = node.endIndex - links.join('').length
  const orders = links.slice(1).map((link, at) => [...links.slice(0, at), link, links[at]!, ...links.slice(at + 2)])
  if (links.length > 2) orders.push([links.at(-1)!, ...links.slice(0, -1)], [...links.slice(1), links[0]!])
  for (const order of orders) add('swapped_calls', start, node.endIndex, order.join(''))
}

/** The calls of a chain as they are written, the first one first: `.a()`, `.b()`. */
function linksOf(node: Node, source: string, dialect: Dialect): string[] {
  const links: string[] = []
  for (let at: Node | null = node; at && dialect.callArguments(at);) {
    const callee: Node | null = at.childForFieldName('function')
    const object: Node | null = callee ? partOwner(callee) : null
    if (!object) break
    links.unshift(source.slice(object.endIndex, at.endIndex))
    at = object
  }
  return links
}
