import type { Node } from 'web-tree-sitter'
import { bracketed, partOwner, signsOf } from './dialect.ts'
import { putAround } from './loop-edits.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators that put in what the file has elsewhere: many candidates, each less likely. */
export const wideEdits: Operator[] = [
  editCondition,
  editSide,
  editValue,
  wrapValue,
  editStatement,
  insertStatement,
  insertGuard,
  insertCondition,
  fallBack,
]

const SIMPLE_VALUES = ['0', '1']

function editCondition(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const condition = dialect.condition(node)
  if (!condition) return
  const { startIndex: start, endIndex: end, text } = condition
  for (const value of [true, false]) add('condition_constant', start, end, dialect.writeTruth(value))
  const names = facts.namesAt(node)
  const simple = names.flatMap((name) => [name, dialect.writeNot(name), ...dialect.writeAbsent(name)])
  const own = [...simple, ...facts.oppositesAt(node)].map((other) => ({ text: other, weight: 1 }))
  for (const { text: other, weight } of [...own, ...facts.conditionsAt(node)]) {
    if (other === text) continue
    add('condition_strengthened', start, end, dialect.writeBoth(text, other), weight)
    add('condition_strengthened', start, end, dialect.writeBoth(other, text), weight)
    add('condition_weakened', start, end, dialect.writeEither(text, other), weight)
    add('condition_weakened', start, end, dialect.writeEither(other, text), weight)
    add('condition_replaced', start, end, other, weight)
  }
}

const SIDE_WEIGHT = 0.8

/** `a && b` → `a && (b || c)`, with a condition of the same function. */
function editSide(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const both = dialect.boolean(node)
  if (!both || !/^(&&|and|\|\||or)$/.test(both.operator.text)) return
  const isBoth = /^(&&|and)$/.test(both.operator.text)
  const kind = isBoth ? 'condition_weakened' : 'condition_strengthened'
  const near = nearConditions(node, facts).filter((text) => !node.text.includes(text))
  for (const side of [both.left, both.right]) {
    if (dialect.boolean(side)) continue
    for (const text of near) {
      const other = isBoth ? dialect.writeEither(side.text, text) : dialect.writeBoth(side.text, text)
      add(kind, side.startIndex, side.endIndex, `(${other})`, SIDE_WEIGHT)
    }
  }
}

/** Those of its own function. */
function nearConditions(node: Node, facts: SourceFacts): string[] {
  return facts.conditionsAt(node).flatMap(({ text, weight }) => (weight === 1 ? text : []))
}

function editValue(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isExpression(node)) return
  const isText = dialect.text(node) !== null
  // Of texts only those that are there for want of anything better: `name || ''`.
  if (isText && !(node.parent && dialect.boolean(node.parent)?.right.id === node.id)) return
  for (const { text, weight } of facts.ingredientsAt(node)) {
    if (text === node.text || (isText && !PATH.test(text)) || isWithin(node, text)) continue
    add('ingredient', node.startIndex, node.endIndex, text, weight)
  }
}

/** Whether it is a part of what is written so, which does not go into itself. */
function isWithin(node: Node, text: string): boolean {
  for (let at = node.parent; at && at.endIndex - at.startIndex <= text.length; at = at.parent)
    if (at.text === text) return true
  return false
}

const FIELD = /^\w+\.\w+$/
const PATH = /^[A-Za-z_$][\w$.]*$/
/** Where a sum, or an object, needs no brackets. */
const STANDS_ALONE =
  /^(arguments|argument_list|return_statement|assignment|assignment_expression|variable_declarator|parenthesized_expression)$/

/** `const other = list`, where `other` is changed afterwards: to change a copy was meant. */
const CHANGED_FACTOR = 2
/** A part for the whole pleases many tests by chance. */
const NEW_SLICE_WEIGHT = 0.7

function wrapValue(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isExpression(node) || node.text.includes('\n') || dialect.truth(node) !== null) return
  const { startIndex: start, endIndex: end, text } = node
  for (const other of dialect.writeConversions(text)) add('converted', start, end, other)
  const isNamed = PATH.test(text)
  const isAlone = STANDS_ALONE.test(node.parent?.type ?? '')
  const stored = node.parent && dialect.assignment(node.parent)
  const isChanged = stored?.value.id === node.id && facts.isChangedAt(node, stored.name.text)
  for (const copy of dialect.writeCopies(text)) {
    const other = isAlone && copy.startsWith('({') ? copy.slice(1, -1) : copy
    add('copied', start, end, other, (isNamed ? 1 : 0.5) * (isChanged ? CHANGED_FACTOR : 1))
  }
  if (!dialect.isNumeric(node)) return
  const apart = (other: string) => (isAlone ? other : `(${other})`)
  for (const other of dialect.writeDefaults(text)) add('defaulted', start, end, other)
  const steps = facts.numbersAt(node).flatMap((number) => [`/ ${number}`, `* ${number}`, `% ${number}`])
  for (const step of new Set(['/ 2', '* 2', ...steps]))
    add('combined', start, end, apart(`${bracketed(text)} ${step}`), 0.8)
  for (const number of facts.numbersAt(node)) add('combined', start, end, apart(`${number} - ${bracketed(text)}`), 0.7)
  for (const value of SIMPLE_VALUES)
    for (const other of dialect.writeBounds(text, value)) add('bounded', start, end, other)
  for (const name of facts.namesAt(node)) {
    if (name === text) {
      add('combined', start, end, `(${text} * ${text})`)
      continue
    }
    for (const operator of ['+', '-', '*', '/'])
      add('combined', start, end, apart(`${bracketed(text)} ${operator} ${name}`))
    for (const operator of ['+', '-']) add('combined', start, end, apart(`${name} ${operator} ${bracketed(text)}`), 0.8)
    for (const other of dialect.writeBounds(text, name)) add('bounded', start, end, other)
    for (const other of dialect.writeBounds(text, `${name} - 1`)) add('bounded', start, end, other, 0.8)
    for (const other of dialect.writeSlices(text, name)) add('slice', start, end, other, NEW_SLICE_WEIGHT)
  }
  for (const attribute of facts.attributes)
    add('attribute', start, end, `${bracketed(text)}.${attribute}`, isNamed ? 0.5 : 0.2)
}

function editStatement(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, source, root } = facts
  if (!dialect.isStatement(node)) return
  if (dialect.isSimpleStatement(node)) add('deleted', node.startIndex, node.endIndex, dialect.emptyStatement)
  const next = node.nextNamedSibling
  if (!next || !dialect.isStatement(next)) return
  const between = source.slice(node.endIndex, next.startIndex)
  const isInFunction = facts.outermostFunction(node).id !== root.id
  if (isInFunction && dialect.isSimpleStatement(node) && dialect.isSimpleStatement(next))
    add('deleted', node.startIndex, next.endIndex, dialect.emptyStatement)
  add('swapped_statements', node.startIndex, next.endIndex, next.text + between + node.text)
}

function insertStatement(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node)) return
  const names = facts.namesAt(node).slice(0, 12)
  const pairs = names.flatMap((first) =>
    names.filter((second) => second !== first).map((second) => [first, second] as const),
  )
  const statements = [
    ...facts.statementsAt(node).filter((text) => text !== node.text),
    ...pairs.map(([first, second]) => dialect.writeAssignment(first, second)),
    ...fieldsOf(names, facts).flatMap((field) => names.map((name) => dialect.writeAssignment(field, name))),
    ...pairs.flatMap(([first, second]) => dialect.writeAppends(first, second)),
    ...pairs.flatMap(([first, second]) => dialect.writeAppends(first, dialect.writeParts(second).at(-1)!).slice(0, 1)),
  ]
  for (const statement of [...statements, ...facts.donors.statements])
    putAround(node, statement, facts, add, 'inserted')
}

const FIELDS_MAX = 3

/** Of what is in scope, parts that the file reads: `node.next`. */
function fieldsOf(names: string[], { expressions }: SourceFacts): string[] {
  const isField = (text: string) => FIELD.test(text) && names.includes(text.slice(0, text.indexOf('.')))
  return expressions.filter(isField).slice(0, FIELDS_MAX)
}

function insertGuard(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node)) return
  for (const name of facts.parametersAt(node)) {
    for (const condition of [dialect.writeNot(name), ...dialect.writeAbsent(name).slice(0, 1)]) {
      for (const guard of [...dialect.writeGuards(condition), dialect.writeReturnIf(condition, name)]) {
        add('guard', node.startIndex, node.startIndex, `${guard}\n${facts.indentOf(node)}`)
      }
    }
  }
}

const COMPARED_MAX = 5

/** `f(x)` → `if (x === y) f(x)`. */
function insertCondition(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isSimpleStatement(node) || node.text.includes('\n')) return
  const names = facts.namesAt(node).slice(0, COMPARED_MAX)
  const { equal } = signsOf(dialect)
  const alike = names.flatMap((name, at) => names.slice(at + 1).map((other) => `${name} ${equal} ${other}`))
  for (const condition of [...alike, ...nearConditions(node, facts)])
    add('guard', node.startIndex, node.endIndex, dialect.writeIf(condition, node.text), 0.9)
}

/** `one.output || ''` → `one.output || one.value`. */
function fallBack(node: Node, { dialect, attributes }: SourceFacts, add: Add): void {
  const both = dialect.boolean(node)
  if (!both || !/^(\|\||\?\?|or)$/.test(both.operator.text)) return
  const { left, right } = both
  const owner = PATH.test(left.text) ? partOwner(left) : null
  if (!owner || (dialect.text(right) === null && dialect.integer(right) === null)) return
  for (const name of attributes)
    if (`${owner.text}.${name}` !== left.text)
      add('defaulted', right.startIndex, right.endIndex, `${owner.text}.${name}`)
}
