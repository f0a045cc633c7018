import type { Node } from 'web-tree-sitter'
import { walk } from '#adapters/engines/syntax/open-parser.ts'
import { PATH, signsOf } from './dialect.ts'
import type { Kind } from './kinds.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators that make conditions stricter or looser, by what a value is and by parts of what is in scope. */
export const conditionEdits: Operator[] = [askForMore, acceptMark, compareInOrder, checkLowEnd]

const PATHS_MAX = 4
const PARTS_MAX = 12
/** `state.tag`, `options['short']`. */
const PART = /^[A-Za-z_$][\w$.'"[\]-]*$/
const FOREIGN_WEIGHT = 0.6
/** Of a text that stands for something, with its quotes. */
const TEXT_LENGTH = 8

function askForMore(node: Node, facts: SourceFacts, add: Add): void {
  const condition = facts.dialect.condition(node)
  if (!condition) return
  const put: Put = (kind, text, weight) => add(kind, condition.startIndex, condition.endIndex, text, weight)
  askForNear(node, condition, facts, put)
  askForType(condition, facts, put)
  askForPart(node, condition, facts, put)
  askForText(condition, facts, put)
}

/** In place of the condition. */
type Put = (kind: Kind, text: string, weight?: number) => void

/** `options.flat ? level - 1 : level` → `options.flat && level > 0 ? …`: what stands there is only asked what it is used as. */
function askForNear(node: Node, condition: Node, facts: SourceFacts, put: Put): void {
  const { dialect } = facts
  const { text } = condition
  for (const other of new Set(usesIn(node, condition, facts))) {
    if (text.includes(other)) continue
    put('near_condition', dialect.writeBoth(text, other))
    put('near_condition', dialect.writeBoth(other, text))
    put('near_condition', dialect.writeEither(text, dialect.writeNot(other)), 0.7)
  }
}

const USES_MAX = 8

/** Of what a condition and the line after it use: that numbers are there, and that what has parts does. */
function usesIn(node: Node, condition: Node, { dialect }: SourceFacts): string[] {
  const lastRow = condition.endPosition.row + 1
  return walk(node)
    .filter((one) => one.startPosition.row <= lastRow && dialect.isExpression(one) && PATH.test(one.type))
    .flatMap((one) => {
      const { parent, text } = one
      if (!parent || dialect.reserved.has(text) || text === 'this' || text.includes('\n')) return []
      const sign = dialect.arithmetic(parent)?.operator.text ?? dialect.comparison(parent)?.operator.text
      const isIndex = parent.childForFieldName('index')?.id === one.id
      if (isIndex || (sign && /^[-*/%<>]=?$/.test(sign))) return [`${text} > 0`]
      const isHolder = (parent.childForFieldName('object') ?? parent.childForFieldName('value'))?.id === one.id
      return isHolder && PATH.test(parent.type) ? [text, dialect.writeAbsent(text)[1]!] : []
    })
    .slice(0, USES_MAX)
}

/** `if x[0]` → `if isinstance(x, list) and x[0]`. */
function askForType(condition: Node, facts: SourceFacts, put: Put): void {
  const { dialect } = facts
  const { text } = condition
  for (const path of pathsOf(condition, facts)) {
    for (const one of dialect.writeTypes(path)) {
      const other = dialect.writeNot(one)
      if (path === text) put('type_check', one)
      put('type_check', dialect.writeBoth(one, text))
      put('type_check', dialect.writeBoth(text, one))
      put('type_check', dialect.writeBoth(other, text), 0.8)
      put('type_check', dialect.writeEither(one, text), 0.6)
    }
  }
}

/** What a condition looks at, the largest first. */
function pathsOf(condition: Node, { dialect }: SourceFacts): string[] {
  const paths = walk(condition).filter(
    (one) => dialect.isExpression(one) && !dialect.reserved.has(one.text) && PATH.test(one.type),
  )
  return [...new Set(paths.map(({ text }) => text))].filter((text) => !text.includes('\n')).slice(0, PATHS_MAX)
}

const TEXTS_MAX = 3

/** `if (a === b)` → `if (a !== ' ' && a === b)`, with the texts of the file that stand for something, such as a gap. */
function askForText(condition: Node, facts: SourceFacts, put: Put): void {
  const { dialect } = facts
  const { unequal } = signsOf(dialect)
  const texts = facts.texts.filter((text) => text.length <= TEXT_LENGTH && !condition.text.includes(text))
  for (const path of pathsOf(condition, facts))
    for (const text of texts.slice(0, TEXTS_MAX))
      put('near_condition', dialect.writeBoth(`${path} ${unequal} ${text}`, condition.text), 0.8)
}

/** `if a` → `if a and self.b is not None`. */
function askForPart(node: Node, { text }: Node, facts: SourceFacts, put: Put): void {
  const { dialect } = facts
  for (const { part, weight } of partsAt(node, facts)) {
    const isAsked = text.includes(part)
    const others = [...dialect.writeAbsent(part), ...(isAsked ? [] : [part, dialect.writeNot(part)])]
    for (const other of others) {
      put('part_asked', dialect.writeBoth(text, other), weight)
      put('part_asked', dialect.writeBoth(other, text), weight)
      put('part_asked', dialect.writeEither(text, other), weight)
    }
  }
}

/** Parts of what is in scope: of the function itself first, then those that the rest of the file asks for. */
function partsAt(node: Node, facts: SourceFacts): { part: string; weight: number }[] {
  const roots = new Set([...facts.namesAt(node), 'self', 'this'])
  const parts = (texts: string[]) =>
    texts
      .filter((text) => /[.[]/.test(text) && PART.test(text) && roots.has(/^[\w$]+/.exec(text)![0]))
      .slice(0, PARTS_MAX)
  const ingredients = facts.ingredientsAt(node)
  const near = parts(ingredients.filter(({ weight }) => weight === 1).map(({ text }) => text))
  const far = parts(facts.expressions.filter((text) => !near.includes(text)))
  return [...near.map((part) => ({ part, weight: 1 })), ...far.map((part) => ({ part, weight: FOREIGN_WEIGHT }))]
}

const PREDICATE = /^(is[a-z_A-Z]*|test|includes)$/
const MARKS_MAX = 8

/** `sign.isdigit()` → `sign.isdigit() or sign == '.'`, with a mark of the failing tests' texts. */
function acceptMark(node: Node, { dialect, literals }: SourceFacts, add: Add): void {
  const passed = dialect.callArguments(node)
  const callee = passed && node.childForFieldName('function')
  const name = callee && (callee.childForFieldName('attribute') ?? callee.childForFieldName('property'))
  if (!passed || !name || !PREDICATE.test(name.text) || passed.length > 1) return
  const asked = passed[0] ?? callee.childForFieldName('object')
  if (!asked || !PATH.test(asked.type)) return
  const { equal } = signsOf(dialect)
  for (const mark of literals.marks.slice(0, MARKS_MAX)) {
    const either = dialect.writeEither(node.text, `${asked.text} ${equal} '${mark}'`)
    add('near_condition', node.startIndex, node.endIndex, `(${either})`, 0.8)
  }
}

const ORDERS = /^[<>]=?$/

/** `a < b || c < d` → `a < b || (a === b && c < d)`: the second parts decide where the first ones are equal. */
function compareInOrder(node: Node, { dialect }: SourceFacts, add: Add): void {
  const both = dialect.boolean(node)
  const [first, second] = [both?.left, both?.right].map((one) => (one ? dialect.comparison(one) : null))
  if (!both || !first || !second) return
  if (![first, second].every(({ operator }) => ORDERS.test(operator.text))) return
  const { equal } = signsOf(dialect)
  const rest = dialect.writeBoth(`${first.left.text} ${equal} ${first.right.text}`, both.right.text)
  add('near_condition', node.startIndex, node.endIndex, dialect.writeEither(both.left.text, rest), 1.2)
}

/** `row >= rows.length || column >= …` → `… || row < 0 || column < 0`: an index is checked at both ends. */
function checkLowEnd(node: Node, { dialect }: SourceFacts, add: Add): void {
  const condition = dialect.condition(node)
  if (!condition) return
  const compared = walk(condition).flatMap((one) => dialect.comparison(one) ?? [])
  const asked = (sign: string) =>
    compared.filter(({ left, operator, right }) => {
      const isIndex = PATH.test(left.type) && !compared.some((one) => one.right.id === left.id)
      return operator.text === sign && isIndex && /^len\(|\.length$/.test(right.text)
    })
  const [outside, inside] = [asked('>='), asked('<')]
  const put = (text: string) => add('near_condition', condition.startIndex, condition.endIndex, text, 1.4)
  const { text } = condition
  if (outside.length) put(outside.reduce((rest, { left }) => dialect.writeEither(rest, `${left.text} < 0`), text))
  if (inside.length) put(inside.reduce((rest, { left }) => dialect.writeBoth(rest, `${left.text} >= 0`), text))
}
