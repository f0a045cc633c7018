import type { Node } from 'web-tree-sitter'
import type { Dialect } from './dialect.ts'

/** Where names stand that get a value, besides plain assignments. */
const BINDS =
  /^(for_statement|for_in_clause|for_in_statement|range_clause|array_pattern|object_pattern|pair_pattern|pattern_list|tuple_pattern|as_pattern_target)$/
const NAME = /^(identifier|shorthand_property_identifier_pattern)$/

/** The names that a node gives a value, or that stand for one there. */
export function boundBy(node: Node, dialect: Dialect): string[] {
  if (dialect.isFunction(node)) return dialect.parameters(node)
  const assigned = dialect.assignment(node)?.name.text
  if (assigned !== undefined) return [assigned]
  return node.parent !== null && BINDS.test(node.parent.type) && NAME.test(node.type) ? [node.text] : []
}

/** Those of which the functions of a file know, and the file outside of them does not. */
export function hiddenNames(nodes: Node[], dialect: Dialect): ReadonlySet<string> {
  const hidden = new Set<string>()
  const shown = new Set<string>()
  for (const node of nodes) {
    const names = boundBy(node, dialect)
    if (!names.length) continue
    const own = isInFunction(node, dialect) ? hidden : shown
    for (const name of names) own.add(name)
  }
  return hidden.difference(shown)
}

function isInFunction(node: Node, dialect: Dialect): boolean {
  for (let at: Node | null = node; at; at = at.parent) if (dialect.isFunction(at)) return true
  return false
}
