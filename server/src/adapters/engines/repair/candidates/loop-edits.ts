import type { Node } from 'web-tree-sitter'
import { type Dialect, NAMES, PATH } from './dialect.ts'
import type { Add, Operator } from './operator-edits.ts'
import { type SourceFacts, steppedName } from './source-facts.ts'
import { walk } from '#adapters/engines/syntax/open-parser.ts'

/** What is often forgotten in loops. */
export const loopEdits: Operator[] = [
  updateStaleVariable,
  flipStale,
  fillList,
  beginInLoop,
  beginBeforeLoop,
  keepBest,
  stepCondition,
  swapJump,
  leaveLoop,
  stepVariable,
  addElse,
  copyIterated,
]

/** A variable that has a value before a loop and never gets another: at the loop's end it becomes what the loop has. */
function updateStaleVariable(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const loop = loopEndedBy(node, facts)
  if (!loop) return
  const ownNames = new Set(walk(loop).flatMap((one) => dialect.assignment(one)?.name.text ?? []))
  const iterated = (loop.childForFieldName('left') ?? loop.namedChild(0)?.childForFieldName('left'))?.text
  for (const name of iterated?.match(/[A-Za-z]\w*/g) ?? []) ownNames.add(name)
  for (const stale of facts.staleNamesAt(node)) {
    for (const name of ownNames) {
      if (name !== stale) putAround(node, dialect.writeAssignment(stale, name), facts, add, 'never_updated')
    }
    for (const step of dialect.writeSteps(stale)) putAround(node, step, facts, add, 'never_updated')
  }
}

/** `sign = 1` that never becomes another: it turns round somewhere in a loop. */
function flipStale(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node) || node.nextNamedSibling || !loopAround(node, facts)) return
  const stale = facts.staleNamesAt(node)
  for (const { name, value } of facts.firstAssignments) {
    if (!stale.includes(name) || !/^(1|true|false|True|False)$/.test(value)) continue
    const other = value === '1' ? `-${name}` : dialect.writeNot(name)
    putAround(node, dialect.writeAssignment(name, other), facts, add, 'never_updated')
  }
}

const FILLING_MAX = 6

/** A list that is empty before a loop, and that nothing is ever put into: at the end of a block of the loop something is. */
function fillList(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node) || node.nextNamedSibling || !loopAround(node, facts)) return
  for (const { name: list, isSet } of facts.unfilledAt(node)) {
    if (isSet) continue
    for (const name of facts
      .namesAt(node)
      .filter((one) => one !== list)
      .slice(0, FILLING_MAX))
      putAround(node, dialect.writeAppends(list, name)[0]!, facts, add, 'never_updated')
  }
}

const EMPTY = /^(\[\]|\{\}|set\(\)|list\(\)|dict\(\)|new (Set|Map)\(\)|0|''|""|None|null|true|false|True|False)$/

/** What begins empty before a loop, and is only looked at within it, begins anew in each of its rounds. */
function beginInLoop(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, source } = facts
  const begun = dialect.isStatement(node) ? beginOf(node, dialect) : null
  const next = begun && node.nextNamedSibling
  if (!begun || !next) return
  for (let loop: Node | null = next; loop && dialect.isStatement(loop); loop = loop.nextNamedSibling) {
    const first = dialect.isLoop(loop) ? firstIn(loop) : null
    const after = source.slice(loop.endIndex, facts.outermostFunction(node).endIndex)
    if (!first || !usesName(loop.text, begun) || usesName(after, begun)) continue
    const moved = `${source.slice(next.startIndex, first.startIndex)}${node.text}\n${facts.indentOf(first)}`
    add('reset', node.startIndex, first.startIndex, moved, 2)
  }
}

/** What begins empty in each round of a loop, and is looked at after it, begins before it. */
function beginBeforeLoop(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, source } = facts
  const loop = dialect.isStatement(node) ? holderOf(node) : null
  const next = node.nextNamedSibling
  const begun = loop && next && dialect.isLoop(loop) ? beginOf(node, dialect) : null
  if (!begun || !loop || !next) return
  if (!usesName(source.slice(loop.endIndex, facts.outermostFunction(node).endIndex), begun)) return
  const before = `${node.text}\n${facts.indentOf(loop)}${source.slice(loop.startIndex, node.startIndex)}`
  add('reset', loop.startIndex, next.startIndex, before, 2)
}

/** Of `kept = []`, also as a declaration: `kept`. */
function beginOf(node: Node, dialect: Dialect): string | null {
  const found = [node, ...node.namedChildren].flatMap((one) => dialect.assignment(one) ?? [])[0]
  return found && EMPTY.test(found.value.text) ? found.name.text : null
}

function firstIn(loop: Node): Node | null {
  return loop.childForFieldName('body')?.namedChildren.find(({ type }) => type !== 'comment') ?? null
}

function usesName(text: string, name: string): boolean {
  return text.match(NAMES)?.includes(name) ?? false
}

/** `end = other` in a loop → `end = max(end, other)`: of all rounds it is the most, or the least. */
function keepBest(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const { name, value } = dialect.assignment(node) ?? {}
  if (!name || !value || !PATH.test(value.type) || !loopAround(node, facts)) return
  for (const other of dialect.writeBounds(name.text, value.text))
    add('lost_value', value.startIndex, value.endIndex, other, 1.2)
}

const OTHER_JUMP: Record<string, string> = { break_statement: 'continue', continue_statement: 'break' }

/** `break` → `continue`, and the other way round. */
function swapJump({ type, startIndex, text }: Node, _facts: SourceFacts, add: Add): void {
  const other = OTHER_JUMP[type]
  if (other) add('loop', startIndex, startIndex + /^[a-z]*/.exec(text)![0].length, other, 1.2)
}

/** What a statement is a part of, such as a loop, whose block is not counted. */
function holderOf(node: Node): Node | null {
  let at = node.parent
  while (at && /^(block|statement_block|statement_list)$/.test(at.type)) at = at.parent
  return at
}

/** The loop that a statement is the last one of. */
function loopEndedBy(node: Node, { dialect }: SourceFacts): Node | null {
  const holder = dialect.isStatement(node) && !node.nextNamedSibling ? holderOf(node) : null
  return holder && dialect.isLoop(holder) ? holder : null
}

/** A loop that never ends, as nothing in it changes what it looks at. */
function stepCondition(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const loop = loopEndedBy(node, facts)
  const condition = loop && dialect.condition(loop)
  if (!condition) return
  const changed = walk(loop).flatMap((one) => [dialect.assignment(one)?.name.text, steppedName(one, dialect)])
  for (const name of new Set(condition.text.match(/[A-Za-z_]\w*/g))) {
    if (changed.includes(name) || !facts.namesAt(node).includes(name)) continue
    for (const step of dialect.writeSteps(name).toReversed()) putAround(node, step, facts, add, 'never_updated')
  }
}

const JUMPS = /^(break|continue|return|raise|throw)/

/** What is found, or done, in a loop: the loop ends there. One with an `else` is made to. */
function leaveLoop(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const loop = dialect.isStatement(node) && !node.nextNamedSibling ? loopAround(node, facts) : null
  if (!loop || loopEndedBy(node, facts) || JUMPS.test(node.text) || !/^(if|else|elif)/.test(holderOf(node)!.type))
    return
  const isMadeTo = loop.childForFieldName('alternative') !== null && !/\bbreak\b/.test(loop.text)
  const indent = facts.indentOf(node)
  for (const jump of ['break', 'continue'])
    add('loop', node.endIndex, node.endIndex, `\n${indent}${jump}`, isMadeTo && jump === 'break' ? 1.8 : 0.7)
}

function stepVariable(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node) || !loopAround(node, facts)) return
  for (const name of facts.namesAt(node).slice(0, 12)) {
    for (const step of dialect.writeSteps(name)) putAround(node, step, facts, add, 'inserted')
  }
}

/** What an `if` changes may have to go back to its first value when the condition does not hold. */
function addElse(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (node.type !== 'if_statement' || node.childForFieldName('alternative')) return
  const indent = facts.indentOf(node)
  const resets = facts.firstAssignments.map(({ name, value }) => dialect.writeAssignment(name, value))
  for (const statement of new Set([...resets, ...facts.statementsAt(node)])) {
    add('missing_else', node.endIndex, node.endIndex, dialect.writeElse(statement, indent))
  }
}

function copyIterated(node: Node, { dialect }: SourceFacts, add: Add): void {
  const loop = node.parent
  if (!loop || dialect.iterated(loop)?.id !== node.id) return
  add('iterated_copy', node.startIndex, node.endIndex, dialect.writeListCopy(node.text))
}

function loopAround(node: Node, { dialect }: SourceFacts): Node | null {
  for (let at = node.parent; at && !dialect.isFunction(at); at = at.parent) if (dialect.isLoop(at)) return at
  return null
}

/** Before a statement; and after it, when it is the last of its block. */
export function putAround(
  node: Node,
  text: string,
  facts: SourceFacts,
  add: Add,
  kind: 'inserted' | 'never_updated' | 'reset',
): void {
  const indent = facts.indentOf(node)
  if (!node.nextNamedSibling) add(kind, node.endIndex, node.endIndex, `\n${indent}${text}`)
  if (kind !== 'never_updated') add(kind, node.startIndex, node.startIndex, `${text}\n${indent}`)
}
