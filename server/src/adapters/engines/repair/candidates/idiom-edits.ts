import type { Node } from 'web-tree-sitter'
import { bracketed, type Dialect, partOwner } from './dialect.ts'
import { type Edit, joinEdits } from './join-edits.ts'
import { lettersOf } from './letters-of.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators for mistakes in what people write again and again: codes of letters, the greater of two, a swap of two values. */
export const idiomEdits: Operator[] = [
  editLetterCode,
  editLetter,
  takeOneOfTwo,
  raise,
  swapSigns,
  swapReceiver,
  completeSwap,
  returnLiteral,
  assignCompared,
  swapLiterals,
  separate,
  takePartOfArgument,
  takeOtherEnd,
  keepPositive,
  beginBeyond,
]

const NAMES_MAX = 7
const LETTERS_MAX = 16

/** Around `0` to `9`, `A` to `Z` and `a` to `z`; and how many letters there are. */
const LETTER_CODES = [47, 48, 57, 58, 64, 65, 90, 91, 96, 97, 122, 123, 26]
const ASKS_LETTER_CODE = /\b(charCodeAt|codePointAt|fromCharCode|fromCodePoint|ord|chr)\(/

function editLetterCode(node: Node, facts: SourceFacts, add: Add): void {
  const value = facts.dialect.integer(node)
  if (value === null || value < 2 || !ASKS_LETTER_CODE.test(facts.outermostFunction(node).text)) return
  const near = LETTER_CODES.filter((code) => code !== value && Math.abs(code - value) < 26)
  for (const code of near) add('literal', node.startIndex, node.endIndex, String(code))
}

const BRACKETS = '()[]{}<>'

/** `'('` → `'['`, or any letter that the failing tests speak of. */
function editLetter(node: Node, { dialect, literals }: SourceFacts, add: Add): void {
  const text = dialect.text(node)
  if (text?.length !== 3 || !dialect.isExpression(node)) return
  const [quote, letter] = [text[0]!, text[1]!]
  for (const other of BRACKETS.includes(letter) ? BRACKETS : '')
    add('text', node.startIndex, node.endIndex, quote + other + quote)
  for (const other of lettersOf(literals.texts, quote).slice(0, LETTERS_MAX))
    add('literal', node.startIndex, node.endIndex, other, 0.8)
}

/** `max(list)` → `max(a, b)`. */
function takeOneOfTwo(node: Node, facts: SourceFacts, add: Add): void {
  const { callee, value } = callWithOne(node, facts.dialect) ?? {}
  if (!callee || !value || !/(^|\.)(min|max)$/.test(callee.text)) return
  const names = facts.namesAt(node).slice(0, NAMES_MAX)
  for (const [at, name] of names.entries()) {
    for (const other of names.slice(at + 1)) add('argument', value.startIndex, value.endIndex, `${name}, ${other}`, 0.8)
  }
}

/** Of a call with one argument: what is called, and the argument. */
function callWithOne(node: Node, dialect: Dialect): { callee: Node; value: Node } | null {
  const [value, ...others] = dialect.callArguments(node) ?? []
  const callee = node.childForFieldName('function')
  return value && callee && !others.length ? { callee, value } : null
}

/** `a` → `a ** 3`. */
function raise(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isNumeric(node) || !dialect.arithmeticSwaps['**']) return
  for (const power of [2, 3])
    add('combined', node.startIndex, node.endIndex, `${bracketed(node.text)} ** ${power}`, 0.8)
}

/** `a - b / c` → `a / c - b`. */
function swapSigns(node: Node, { dialect }: SourceFacts, add: Add): void {
  const outer = dialect.arithmetic(node)
  if (!outer) return
  const { left, operator, right } = outer
  const inRight = dialect.arithmetic(right)
  const inLeft = dialect.arithmetic(left)
  const write = (...parts: Node[]) =>
    add('arithmetic', node.startIndex, node.endIndex, parts.map(({ text }) => text).join(' '), 0.7)
  if (inRight) write(left, inRight.operator, inRight.right, operator, inRight.left)
  if (inLeft) write(inLeft.left, operator, right, inLeft.operator, inLeft.right)
}

/** `a.has(b)` → `b.has(a)`. */
function swapReceiver(node: Node, { dialect }: SourceFacts, add: Add): void {
  const { callee, value } = callWithOne(node, dialect) ?? {}
  const receiver = callee?.childForFieldName('object')
  if (!callee || !value || !receiver || receiver.text === value.text || !dialect.isNumeric(value)) return
  const method = callee.text.slice(receiver.text.length)
  const swapped = `${bracketed(value.text)}${method}(${receiver.text})`
  add('swapped_arguments', node.startIndex, node.endIndex, swapped, 0.7)
}

/** `kept = a; b = kept` → `kept = a; a = b; b = kept`. */
function completeSwap(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const next = node.nextNamedSibling
  if (!dialect.isStatement(node) || !next || !dialect.isStatement(next)) return
  const [kept, before] = sidesOf(node)
  const [target, taken] = sidesOf(next)
  if (!kept || kept !== taken || !before || !target || before === target) return
  const statement = `\n${facts.indentOf(next)}${dialect.writeAssignment(before, target)}`
  add('inserted', node.endIndex, node.endIndex, statement, 2)
}

/** Of `a = b`, as a statement or a declaration: both. */
function sidesOf(node: Node): string[] {
  const inner = node.namedChild(0)
  const left = inner?.childForFieldName('left') ?? inner?.childForFieldName('name')
  const right = inner?.childForFieldName('right') ?? inner?.childForFieldName('value')
  return left && right ? [left.text, right.text] : []
}

/** `return x` → `return -1`. */
function returnLiteral(node: Node, { dialect, literals }: SourceFacts, add: Add): void {
  const value = node.type === 'return_statement' ? node.namedChild(0) : null
  if (!value || dialect.integer(value) !== null || dialect.text(value) !== null) return
  for (const other of [...dialect.plainValues, ...literals.numbers, ...literals.texts])
    add('literal', value.startIndex, value.endIndex, other, 0.7)
}

/** `if (a < m) m = b` → `if (a < m) m = a`, also at all such places of a function. */
function assignCompared(node: Node, facts: SourceFacts, add: Add): void {
  const own = comparedEdit(node, facts.dialect)
  if (!own) return
  add('ingredient', own.start, own.end, own.text, 2.5)
  const places = facts.outermostFunction(node).descendantsOfType('if_statement')
  const all = places.flatMap((one) => comparedEdit(one, facts.dialect) ?? [])
  if (all.length < 2 || all[0]!.start !== own.start) return
  const { start, end, text } = joinEdits(facts.source, all)
  add('ingredient', start, end, text, 2)
}

function comparedEdit(node: Node, dialect: Dialect): Edit | null {
  const body = node.type === 'if_statement' ? node.childForFieldName('consequence') : null
  const statement = body?.namedChildCount === 1 && !body.childForFieldName('left') ? body.namedChild(0) : body
  const assigned = statement?.type === 'expression_statement' ? statement.namedChild(0) : statement
  const [target, value] = [assigned?.childForFieldName('left'), assigned?.childForFieldName('right')]
  if (!target || !value) return null
  for (const one of node.childForFieldName('condition')!.descendantsOfType(COMPARISONS)) {
    const { left, operator, right } = dialect.comparison(one) ?? {}
    if (!left || !right || !/^[<>]=?$/.test(operator!.text)) continue
    const compared = left.text === target.text ? right : right.text === target.text ? left : null
    if (compared && compared.text !== value.text)
      return { start: value.startIndex, end: value.endIndex, text: compared.text }
  }
  return null
}

const COMPARISONS = ['binary_expression', 'comparison_operator']
const OTHERS_MAX = 12
/** A function in which people see all literals at once. */
const SHORT_CHARACTERS = 4_000

/** `split(/,/) … split(/ /)` → `split(/ /) … split(/,/)`. */
function swapLiterals(node: Node, facts: SourceFacts, add: Add): void {
  if (!isLiteral(node, facts.dialect)) return
  const around = facts.outermostFunction(node)
  if (around.id === facts.root.id || around.endIndex - around.startIndex > SHORT_CHARACTERS) return
  const others = around
    .descendantsOfType(node.type, node.endPosition)
    .filter((other) => other.text !== node.text && isLiteral(other, facts.dialect))
  for (const other of others.slice(0, OTHERS_MAX)) {
    const between = facts.source.slice(node.endIndex, other.startIndex)
    add('swapped_operands', node.startIndex, other.endIndex, other.text + between + node.text, 0.8)
  }
}

function isLiteral(node: Node, dialect: Dialect): boolean {
  return node.type === 'regex' || dialect.text(node) !== null || dialect.integer(node) !== null
}

const SEPARATORS_MAX = 6

/** `a + b` → `a + '.' + b`, with what separates the texts of the failing tests. */
function separate(node: Node, { dialect, literals, texts }: SourceFacts, add: Add): void {
  const { left, operator, right } = dialect.arithmetic(node) ?? {}
  if (operator?.text !== '+' || dialect.integer(left!) !== null || dialect.integer(right!) !== null) return
  const written = [...literals.texts, ...texts, '" "']
  const separators = lettersOf(written, written[0]!.at(-1)!).filter((letter) => !/\w/.test(letter[1]!))
  for (const separator of separators.slice(0, SEPARATORS_MAX))
    add('combined', right!.startIndex, right!.startIndex, `${separator} + `, 1.2)
}

/** `min(list)` → `list[0]`. */
function takePartOfArgument(node: Node, { dialect }: SourceFacts, add: Add): void {
  const { value } = callWithOne(node, dialect) ?? {}
  if (!value || !dialect.isNumeric(value)) return
  for (const part of dialect.writeParts(bracketed(value.text))) add('part', node.startIndex, node.endIndex, part, 0.8)
}

const OTHER_END_WEIGHT = 1.6
const OWN_END_WEIGHT = 0.5
const FIRST = /first|head|front|oldest/i
const LAST = /last|tail|top|latest|newest/i

/** `list[0]` → `list.at(-1)`, and the other way round; seldom in a function whose name says that it has the right one. */
function takeOtherEnd(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const callee = dialect.callArguments(node) ? node.childForFieldName('function') : node
  const list = callee && partOwner(callee)
  if (!list || !dialect.isExpression(node)) return
  const [, first, last] = dialect.writeParts(list.text)
  const name = dialect.functionName(facts.outermostFunction(node)) ?? ''
  const weight = (own: RegExp) => (own.test(name) ? OWN_END_WEIGHT : OTHER_END_WEIGHT)
  if (node.text === first) add('part', node.startIndex, node.endIndex, last!, weight(FIRST))
  if (node.text === last || node.text === `${list.text}[${list.text}.length - 1]`)
    add('part', node.startIndex, node.endIndex, first!, weight(LAST))
}

/** `(a - 1) % n` → `(((a - 1) % n) + n) % n`, in languages whose remainder may be negative. */
function keepPositive(node: Node, { dialect }: SourceFacts, add: Add): void {
  const found = dialect.arithmeticSwaps['//'] ? null : dialect.arithmetic(node)
  if (found?.operator.text !== '%') return
  const { left, right } = found
  const whole = `((${left.text} % ${right.text}) + ${right.text}) % ${right.text}`
  add('remainder', node.startIndex, node.endIndex, whole, left.text.includes('-') ? 1 : 0.55)
}

/** `most = 0` before `most = max(most, …)` → `most = -Infinity`. */
function beginBeyond(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const found = dialect.assignment(node)
  const endless = dialect.writeEndless()
  if (!found || !endless || dialect.integer(found.value) === null) return
  const { text } = facts.outermostFunction(node)
  for (const [called, value] of [
    ['max', `-${endless}`],
    ['min', endless],
  ] as const)
    if (text.includes(`${called}(${found.name.text},`) || text.includes(`, ${found.name.text})`))
      add('constant', found.value.startIndex, found.value.endIndex, value)
}
