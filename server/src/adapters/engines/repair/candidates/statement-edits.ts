import type { Node } from 'web-tree-sitter'
import { walk } from '#adapters/engines/syntax/open-parser.ts'
import { type Dialect, PATH, signsOf } from './dialect.ts'
import { putAround } from './loop-edits.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators that put in a statement that is often forgotten, or let one run only where it can. */
export const statementEdits: Operator[] = [
  finishLoop,
  keepBeforeChange,
  beginAnew,
  takeBack,
  runIfThere,
  takeWhatIsAsked,
  rememberAsked,
  storeIdle,
  compareLengths,
]

const STATEMENT_MAX = 60
const NAMES_MAX = 7

const ENDS = /^(return|break|continue|raise|throw)\b/
const STATEMENTS_MAX = 12

/** After a loop: what the loop does with a part when the next one begins was to be done with the last part, too. */
function finishLoop(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const loop = dialect.isStatement(node) ? node.previousNamedSibling : null
  if (!loop || !dialect.isLoop(loop)) return
  const statements = walk(loop).filter(
    (one) => dialect.isSimpleStatement(one) && one.text.length <= STATEMENT_MAX && !ENDS.test(one.text),
  )
  const indent = facts.indentOf(node)
  for (const statement of statements.slice(0, STATEMENTS_MAX)) {
    if (statement.text.includes('\n')) continue
    const put = (text: string, weight: number) =>
      add('last_part', node.startIndex, node.startIndex, `${text}\n${indent}`, weight)
    put(statement.text, 0.8)
    for (const name of namesIn(statement, dialect))
      for (const condition of [name, dialect.writeParts(name)[0]!])
        put(dialect.writeIf(condition, statement.text), condition === name ? 1 : 0.8)
  }
}

/** `most = value` → `second = most; most = value`. */
function keepBeforeChange(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const statement = dialect.isSimpleStatement(node) ? node.namedChild(0) : null
  const changed = statement && dialect.assignment(statement)?.name.text
  if (!changed) return
  const others = [...facts.localsAt(node)].filter((name) => name !== changed)
  for (const other of others.slice(0, NAMES_MAX)) {
    const kept = `${dialect.writeAssignment(other, changed)}\n${facts.indentOf(node)}`
    add('lost_value', node.startIndex, node.startIndex, kept)
  }
}

/** What is filled or counted from case to case begins anew in one of them. */
function beginAnew(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node)) return
  const locals = facts.localsAt(node)
  const stale = facts.staleNamesAt(node)
  const counted = facts.firstAssignments.filter(({ name }) => locals.has(name) && !stale.includes(name))
  const statements = [
    ...facts.filledAt(node).flatMap((name) => dialect.writeClears(name)),
    ...counted.map(({ name, value }) => dialect.writeAssignment(name, value)),
  ]
  for (const statement of [...new Set(statements)].slice(0, NAMES_MAX)) putAround(node, statement, facts, add, 'reset')
}

/** What is put into a list before a function calls itself is taken out again after it. */
function takeBack(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isSimpleStatement(node) || !callsItself(node, facts)) return
  const before: string[] = []
  for (let at = node.previousNamedSibling; at; at = at.previousNamedSibling) before.push(at.text)
  for (const name of facts.filledAt(node)) {
    if (!before.some((text) => text.startsWith(`${name}.`))) continue
    add('taken_back', node.endIndex, node.endIndex, `\n${facts.indentOf(node)}${name}.pop()`)
  }
}

function callsItself(node: Node, { dialect }: SourceFacts): boolean {
  const names: string[] = []
  for (let at: Node | null = node; at; at = at.parent)
    if (dialect.isFunction(at)) names.push(dialect.functionName(at) ?? '')
  return walk(node).some((one) => dialect.isCallee(one) && names.includes(one.text))
}

/** `list.pop()` → `if (list.length) list.pop()`. */
function runIfThere(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!dialect.isSimpleStatement(node) || ENDS.test(node.text) || node.text.includes('\n')) return
  for (const name of namesIn(node, dialect).slice(0, NAMES_MAX))
    for (const condition of [name, dialect.writeParts(name)[0]!])
      add('guard', node.startIndex, node.endIndex, dialect.writeIf(condition, node.text), 1.4)
}

/** The variables that a statement looks at. */
function namesIn(statement: Node, dialect: Dialect): string[] {
  const names = walk(statement).filter((one) => dialect.isName(one) && dialect.isExpression(one))
  return [...new Set(names.map(({ text }) => text))]
}

/** `if left >= size` → also `left -= size`; `if used + size <= room` → also `used += size`. */
function takeWhatIsAsked(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const condition = node.type === 'if_statement' ? dialect.condition(node) : null
  const first = node.childForFieldName('consequence')?.namedChildren[0]
  if (!condition || !first || !dialect.isStatement(first)) return
  const around = facts.outermostFunction(node).text
  for (const one of walk(condition)) {
    const asked = dialect.comparison(one)
    if (!asked || !/^[<>]=?$/.test(asked.operator.text)) continue
    const sum = dialect.arithmetic(asked.left)
    const isSum = sum?.operator.text === '+'
    const place = placeOf(isSum ? sum.left : asked.left, dialect)
    if (!place || ['+=', '-=', '='].some((sign) => around.includes(`${place} ${sign} `))) continue
    const isFull = asked.operator.text.startsWith('<')
    const taken = `${place} ${isFull ? '+=' : '-='} ${(isSum ? sum.right : asked.right).text}`
    add('never_updated', first.startIndex, first.startIndex, `${taken}\n${facts.indentOf(first)}`, 0.7)
  }
}

/** `if a in seen`, where nothing is ever put into `seen` → also `seen.add(a)`. */
function rememberAsked(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node)) return
  for (const { name, isSet, asked } of facts.unfilledAt(node)) {
    for (const one of asked.slice(0, NAMES_MAX)) {
      const remembered = dialect.writeAppends(name, one)[isSet ? 1 : 0]!
      add('never_updated', node.startIndex, node.startIndex, `${remembered}\n${facts.indentOf(node)}`)
    }
  }
}

/** What may get a value: a variable, a part of one, or, of `o.get(k, d)`, `o[k]`. */
function placeOf(node: Node, dialect: Dialect): string | null {
  const [key] = dialect.callArguments(node) ?? []
  const callee = node.childForFieldName('function')
  const object = callee?.childForFieldName('object')
  if (key && object && callee?.childForFieldName('attribute')?.text === 'get') return `${object.text}[${key.text}]`
  return PATH.test(node.type) ? node.text : null
}

/** `rank++` → `rank = index + 1`, where nothing reads `index`. */
function storeIdle(node: Node, facts: SourceFacts, add: Add): void {
  if (!/^(update_expression|augmented_assignment)/.test(node.type)) return
  const place = node.childForFieldName('left') ?? node.childForFieldName('argument')
  if (!place || node.parent?.type !== 'expression_statement') return
  for (const name of facts.idleNamesAt(node))
    for (const value of [name, `${name} + 1`])
      add('synthesized', node.startIndex, node.endIndex, facts.dialect.writeAssignment(place.text, value), 1.5)
}

const COMPARED_MAX = 5

/** `if len(a) != len(b): return None`: what is gone through side by side is as long. */
function compareLengths(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node)) return
  const { text } = facts.outermostFunction(node)
  const values = dialect.plainValues.filter((value) => text.includes(`return ${value}`))
  const { unequal } = signsOf(dialect)
  const lengths = facts
    .namesAt(node)
    .slice(0, COMPARED_MAX)
    .map((name) => dialect.writeParts(name)[0]!)
  for (const [at, one] of lengths.entries()) {
    for (const other of lengths.slice(at + 1)) {
      const condition = `${one} ${unequal} ${other}`
      const guards = values.map((value) => dialect.writeReturnIf(condition, value))
      for (const guard of [dialect.writeIf(condition, 'continue'), ...guards])
        add('guard', node.startIndex, node.startIndex, `${guard}\n${facts.indentOf(node)}`)
    }
  }
}
