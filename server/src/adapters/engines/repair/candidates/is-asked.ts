import type { Node } from 'web-tree-sitter'
import type { Dialect } from './dialect.ts'

/** Whether only the truth of a value counts where it stands: as a condition, or as a part of one. */
export function isAsked(node: Node, dialect: Dialect): boolean {
  // A condition may be what stands in its brackets, or these.
  const passed = new Set([node.id])
  if (node.type === 'parenthesized_expression') passed.add(node.namedChild(0)?.id ?? -1)
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at
    if (passed.has(dialect.condition(parent)?.id ?? -1)) return true
    const both = dialect.boolean(parent)
    const isPart = [both?.left, both?.right, dialect.negated(parent)].some((part) => part && passed.has(part.id))
    if (!isPart && parent.type !== 'parenthesized_expression') return false
    passed.add(parent.id)
  }
  return false
}
