import type { Node } from 'web-tree-sitter'
import { type Binary, bracketed, type Dialect, withPart } from './dialect.ts'
import { isAsked } from './is-asked.ts'
import type { Kind } from './kinds.ts'
import { lettersOf } from './letters-of.ts'
import { looksLikePattern } from './looks-like-pattern.ts'
import { numbersNear, weighSigns } from './priors.ts'
import type { SourceFacts } from './source-facts.ts'

/** `weight`: how likely it is among the edits of its kind, from 0 to 1. */
export type Add = (kind: Kind, start: number, end: number, text: string, weight?: number) => void
export type Operator = (node: Node, facts: SourceFacts, add: Add) => void

/** Operators that swap one small thing for another: signs, numbers, truth values. */
export const operatorEdits: Operator[] = [
  editComparison,
  compareWithoutCase,
  compareWithMore,
  editArithmetic,
  editAugmented,
  editBoolean,
  editNegation,
  editConstant,
  editText,
  editOffByOne,
]

/** Where the sign of a comparison is wrong, its number is one off at times. */
const BOTH_WRONG = 0.5

function editComparison(node: Node, { dialect }: SourceFacts, add: Add): void {
  const found = dialect.comparison(node)
  if (!found) return
  const { left, operator, right } = found
  const value = dialect.integer(right)
  for (const other of dialect.comparisonSwaps[operator.type] ?? []) {
    const kind = isEquality(operator.type, other) ? 'equality' : 'comparison'
    const weight = weighSigns(operator.type, other)
    add(kind, operator.startIndex, operator.endIndex, other, weight)
    for (const near of value === null ? [] : [value + 1, value - 1])
      add('comparison', operator.startIndex, right.endIndex, `${other} ${near}`, BOTH_WRONG * weight)
  }
  // What is in what is mixed up more often than what is less than what.
  const swapWeight = /\bin$/.test(operator.type) ? 1.4 : 1
  add('swapped_operands', node.startIndex, node.endIndex, `${right.text} ${operator.text} ${left.text}`, swapWeight)
  const parts = dialect.writeParts(bracketed(right.text))
  for (const [at, part] of dialect.writeParts(bracketed(left.text)).entries()) {
    add('part', node.startIndex, node.endIndex, `${part} ${operator.text} ${parts[at]}`)
  }
  const converted = dialect.writeConversions(right.text)
  for (const [at, one] of dialect.writeConversions(left.text).entries()) {
    add('converted', node.startIndex, node.endIndex, `${one} ${operator.text} ${converted[at]}`)
  }
  if (operator.type === 'in' || operator.type === 'instanceof') {
    add('negation', node.startIndex, node.endIndex, dialect.writeNot(`(${node.text})`))
  }
}

const EQUALS = new Map([
  ['==', true],
  ['===', true],
  ['!=', false],
  ['!==', false],
])
const MORE_TEXTS_MAX = 16

/** `kind == 'AS'` → `kind.upper() == 'AS'`. */
function compareWithoutCase(node: Node, { dialect }: SourceFacts, add: Add): void {
  const found = dialect.comparison(node)
  const text = found && EQUALS.has(found.operator.type) ? dialect.text(found.right) : null
  if (!found || text === null || dialect.text(found.left) !== null || !/[a-z]/i.test(text)) return
  const isUpper = text === text.toUpperCase()
  const inOneCase = isUpper ? text : text.toLowerCase()
  const compared = `${dialect.writeCase(found.left.text, isUpper)} ${found.operator.text} ${inOneCase}`
  add('converted', node.startIndex, node.endIndex, compared, 1.3)
}

/** `last == 's'` → `(last == 's' or last == 'x')`, with a text or a letter of the failing tests. */
function compareWithMore(node: Node, { dialect, literals }: SourceFacts, add: Add): void {
  const found = dialect.comparison(node)
  const text = found ? dialect.text(found.right) : null
  if (!found || text === null || dialect.text(found.left) !== null) return
  const isEither = EQUALS.get(found.operator.type)
  if (isEither === undefined) return
  const quote = text.at(-1)!
  const isLetter = text.length === 3
  const others = isLetter ? lettersOf(literals.texts, quote) : literals.texts
  for (const other of others.filter((one) => one !== text).slice(0, MORE_TEXTS_MAX)) {
    const second = `${found.left.text} ${found.operator.text} ${other}`
    const both = isEither ? dialect.writeEither(node.text, second) : dialect.writeBoth(node.text, second)
    add(isEither ? 'condition_weakened' : 'condition_strengthened', node.startIndex, node.endIndex, `(${both})`, 0.8)
  }
}

function isEquality(from: string, to: string): boolean {
  return (from === '===' && to === '==') || (from === '==' && to === '===') || (from === 'is' && to === '==')
}

function editArithmetic(node: Node, { dialect }: SourceFacts, add: Add): void {
  const found = dialect.arithmetic(node)
  if (!found) return
  const { left, operator, right } = found
  for (const other of dialect.arithmeticSwaps[operator.text] ?? []) {
    add('arithmetic', operator.startIndex, operator.endIndex, other, weighSigns(operator.text, other))
  }
  if (operator.text === '&') add('negation', right.startIndex, right.endIndex, `~${bracketed(right.text)}`)
  const [start, end] = [node.startIndex, node.endIndex]
  add('swapped_operands', start, end, `${bracketed(right.text)} ${operator.text} ${bracketed(left.text)}`)
  add('dropped_operand', start, end, left.text)
  add('dropped_operand', start, end, right.text)
  regroup(found, dialect, add)
  moveOut(node, found, dialect, add)
}

const CALLS_MAX = 3

/** `f(a * b)` → `f(a) * b`, also of calls in calls. */
function moveOut(node: Node, { left, operator, right }: Binary, dialect: Dialect, add: Add): void {
  let calls = 0
  for (let at = node.parent; at && !dialect.isStatement(at) && calls < CALLS_MAX; at = at.parent) {
    if (!dialect.callArguments(at)) continue
    calls++
    const moved = `${withPart(at, node, left.text)} ${operator.text} ${right.text}`
    add('swapped_operands', at.startIndex, at.endIndex, moved, 0.7)
  }
}

function unbracketed(node: Node): Node {
  return (node.type === 'parenthesized_expression' && node.namedChild(0)) || node
}

/** `a + b * c` → `(a + b) * c`, and the other way round. */
function regroup({ left, operator, right }: Binary, dialect: Dialect, add: Add): void {
  const inRight = dialect.arithmetic(unbracketed(right))
  if (inRight) {
    const regrouped = `(${left.text} ${operator.text} ${inRight.left.text}) ${inRight.operator.text} ${inRight.right.text}`
    add('swapped_operands', left.startIndex, right.endIndex, regrouped)
  }
  const inLeft = dialect.arithmetic(unbracketed(left))
  if (inLeft) {
    const regrouped = `${inLeft.left.text} ${inLeft.operator.text} (${inLeft.right.text} ${operator.text} ${right.text})`
    add('swapped_operands', left.startIndex, right.endIndex, regrouped)
  }
}

function editAugmented(node: Node, { dialect }: SourceFacts, add: Add): void {
  const operator = dialect.augmentedOperator(node)
  if (!operator) return
  const { startIndex, endIndex } = operator
  const sign = operator.text.slice(0, -1)
  for (const other of dialect.arithmeticSwaps[sign] ?? []) {
    add('assignment', startIndex, endIndex, `${other}=`, weighSigns(sign, other))
  }
  add('assignment', startIndex, endIndex, '=', 0.6)
  const right = node.childForFieldName('right')
  if (sign === '&' && right) add('negation', right.startIndex, right.endIndex, `~${bracketed(right.text)}`)
}

/** Also `a || 0 + b` → `(a || 0) + b`, `a * b ?? 1` → `a * (b ?? 1)`. */
function editBoolean(node: Node, { dialect }: SourceFacts, add: Add): void {
  const found = dialect.boolean(node)
  if (!found) return
  const { left, operator, right } = found
  for (const other of dialect.booleanSwaps[operator.type] ?? []) {
    const isNullish = operator.type === '??' || other === '??'
    // What is true or false is never missing.
    if (other === '??' && (dialect.comparison(left) || dialect.negated(left))) continue
    add(isNullish ? 'nullish' : 'boolean', operator.startIndex, operator.endIndex, other)
  }
  add('dropped_operand', node.startIndex, node.endIndex, left.text)
  add('dropped_operand', node.startIndex, node.endIndex, right.text)
  for (const side of [left, right]) add('negation', side.startIndex, side.endIndex, dialect.writeNot(side.text))
  const sum = dialect.arithmetic(right)
  if (sum) {
    const first = `(${left.text} ${operator.text} ${sum.left.text})`
    add('arithmetic', node.startIndex, node.endIndex, `${first} ${sum.operator.text} ${sum.right.text}`)
  }
  let last = left
  for (let at = dialect.arithmetic(left); at; at = dialect.arithmetic(last)) last = at.right
  if (last !== left) add('arithmetic', last.startIndex, node.endIndex, `(${last.text} ${operator.text} ${right.text})`)
  editChain(node, dialect, add)
}

/** `a || b || c` → `a && b && c`. */
function editChain(node: Node, dialect: Dialect, add: Add): void {
  const { operator } = dialect.boolean(node)!
  if (node.parent && dialect.boolean(node.parent)?.operator.type === operator.type) return
  const operands = operandsOf(node, operator.type, dialect)
  if (operands.length < 3) return
  for (const other of dialect.booleanSwaps[operator.type] ?? [])
    add('boolean', node.startIndex, node.endIndex, operands.join(` ${other} `))
}

function operandsOf(node: Node, sign: string, dialect: Dialect): string[] {
  const found = dialect.boolean(node)
  return found?.operator.type === sign
    ? [found.left, found.right].flatMap((side) => operandsOf(side, sign, dialect))
    : [node.text]
}

function editNegation(node: Node, { dialect }: SourceFacts, add: Add): void {
  const inner = dialect.negated(node)
  if (inner) add('negation', node.startIndex, node.endIndex, inner.text)
  const condition = dialect.condition(node)
  if (condition && !dialect.negated(condition)) {
    add('negation', condition.startIndex, condition.endIndex, dialect.writeNot(condition.text))
  }
  if (node.type.startsWith('unary') && node.text.startsWith('-'))
    add('negation', node.startIndex, node.endIndex, node.text.slice(1))
}

const SETTING_WEIGHT = 1.15
/** The other answer at one place pleases a test that asks for it, whatever the answer should depend on. */
const ANSWER_WEIGHT = 0.7

function editConstant(node: Node, { dialect, literals }: SourceFacts, add: Add): void {
  const truth = dialect.truth(node)
  const truthWeight = node.parent?.type === 'return_statement' ? ANSWER_WEIGHT : SETTING_WEIGHT
  if (truth !== null) add('constant', node.startIndex, node.endIndex, dialect.writeTruth(!truth), truthWeight)
  const value = dialect.integer(node)
  if (value === null) return
  for (const [other, weight] of numbersNear(value)) {
    const rest = restBeside(node, other, dialect)
    if (rest) add('constant', node.parent!.startIndex, node.parent!.endIndex, rest, weight)
    else add('constant', node.startIndex, node.endIndex, String(other), weight)
  }
  for (const other of literals.numbers) add('literal', node.startIndex, node.endIndex, other)
}

/** What is left of a sum or a product with a number that adds nothing to it: people do not write `0 + a`. */
function restBeside(node: Node, other: number, dialect: Dialect): string | null {
  const found = node.parent && dialect.arithmetic(node.parent)
  if (!found) return null
  const isRight = found.right.id === node.id
  const isIdle = other === 0 ? /^(\+|-)$/ : other === 1 ? /^(\*|\/\/)$/ : null
  const sign = found.operator.text
  if (!isIdle?.test(sign) || (!isRight && /[-/]/.test(sign))) return null
  return (isRight ? found.left : found.right).text
}

function editText(node: Node, { dialect, literals, texts }: SourceFacts, add: Add): void {
  const text = dialect.text(node)
  if (text === null || !dialect.isExpression(node)) return
  const [start, end] = [node.startIndex, node.endIndex]
  const quote = text.at(-1) ?? "'"
  const inner = text.slice(text.indexOf(quote) + 1, -1)
  const nearby = [
    inner.trim(),
    ` ${inner}`,
    `${inner} `,
    '',
    ' ',
    inner.toLowerCase(),
    inner.toUpperCase(),
    `${inner}\\n`,
  ]
  for (const other of new Set(nearby)) add('text', start, end, `${quote}${other}${quote}`)
  // A text of a test in place of what is put together pleases that test alone.
  const isMade = node.namedChildren.some((one) => /^(interpolation|template_substitution)$/.test(one.type))
  for (const other of isMade ? [] : texts) add('text', start, end, other)
  const isPattern = looksLikePattern(inner)
  for (const other of isMade || isPattern ? [] : literals.texts) add('literal', start, end, other, 0.9)
}

const BOUNDS =
  /^(subscript|subscript_expression|index_expression|slice|slice_expression|for_clause|comparison_operator|binary_expression|for_statement)$/
const BOUND_CALL = /(range|slice|substring|substr|splice|at|charAt|insert|pop|islice)$/

function editOffByOne(node: Node, { dialect }: SourceFacts, add: Add): void {
  // One more, or less, of what is only asked whether it is true means nothing.
  if (!dialect.isNumeric(node) || isAsked(node, dialect)) return
  // Where something begins or ends, such mistakes are common; elsewhere they mostly please a weak test.
  const { parent } = node
  const call = /^(arguments|argument_list)$/.test(parent?.type ?? '') ? parent?.parent : null
  const isBound = BOUNDS.test(parent?.type ?? '') || BOUND_CALL.test(call?.childForFieldName('function')?.text ?? '')
  const kind = isBound ? 'off_by_one_bound' : 'off_by_one'
  // Beside a comparison, `<` for `<=` says the same and is the commoner mistake.
  const isCompared = parent !== null && dialect.comparison(parent) !== null
  // What is sorted by a difference has no order by that and one more.
  const isSorting = /(sort|sorted|toSorted)\(\s*\(?\w+,/.test(parent?.parent?.parent?.parent?.text ?? '')
  const weight = isSorting
    ? 0.3
    : !isCompared
      ? 1
      : dialect.isName(node) || parent.firstChild?.id === node.id
        ? 0.4
        : 0.8
  add(kind, node.startIndex, node.endIndex, `${bracketed(node.text)} + 1`, weight)
  add(kind, node.startIndex, node.endIndex, `${bracketed(node.text)} - 1`, weight)
}
