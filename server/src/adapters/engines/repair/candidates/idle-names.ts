import type { Node } from 'web-tree-sitter'
import { walk } from '#adapters/engines/syntax/open-parser.ts'
import type { Dialect } from './dialect.ts'

type Made = { name: string; at: number; isPlain: boolean }

/**
 * The variables of a function that it gets or makes for nothing: those that it never reads, and those that each round of a loop
 * makes anew without a look at what the round before has made. Something was to be done with them.
 */
export function idleNames(around: Node, dialect: Dialect, locals: ReadonlySet<string>): ReadonlySet<string> {
  const nodes = walk(around)
  const reads = nodes.flatMap((one) => (isRead(one, dialect) ? { name: one.text, at: one.startIndex } : []))
  const made = nodes.flatMap((one) => madeBy(one, dialect))
  const isReadIn = (name: string, { startIndex, endIndex }: Node) =>
    reads.some((read) => read.name === name && read.at >= startIndex && read.at < endIndex)
  const carried = nodes
    .filter((one) => dialect.isLoop(one))
    .flatMap((loop) => {
      const isBefore = ({ at }: Made) => at < loop.startIndex
      const isInside = ({ at }: Made) => at >= loop.startIndex && at < loop.endIndex
      const before = new Set(made.filter(isBefore).map(({ name }) => name))
      return made.filter((one) => isInside(one) && !one.isPlain && before.has(one.name) && !isReadIn(one.name, loop))
    })
  const unread = [...locals].filter((name) => !isReadIn(name, around))
  return new Set([...unread, ...carried.map(({ name }) => name)].filter((name) => !name.startsWith('_')))
}

/** Also where something is added to it. */
function isRead(node: Node, dialect: Dialect): boolean {
  if (!dialect.isName(node)) return false
  const isStepped = /^(augmented_assignment|update_expression|inc_statement|dec_statement)/.test(
    node.parent?.type ?? '',
  )
  return isStepped || dialect.isExpression(node) || dialect.isCallee(node)
}

/** What gets a value there, alone or with others; `isPlain`: one that is written out. */
function madeBy(node: Node, dialect: Dialect): Made[] {
  const left = node.childForFieldName('left') ?? node.childForFieldName('name')
  const right = node.childForFieldName('right') ?? node.childForFieldName('value')
  if (!left || !right || !/^(assignment|variable_declarator|short_var_declaration)/.test(node.type)) return []
  const isPlain = dialect.integer(right) !== null || dialect.truth(right) !== null || dialect.text(right) !== null
  return walk(left)
    .filter((one) => one.type === 'identifier')
    .map((one) => ({ name: one.text, at: one.startIndex, isPlain }))
}
