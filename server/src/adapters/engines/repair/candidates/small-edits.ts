import type { Node } from 'web-tree-sitter'
import { bracketed, signsOf } from './dialect.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators that put in small expressions made of what is in scope, or found in the tests and in other files. */
export const smallEdits: Operator[] = [
  takePart,
  callWithValue,
  negateNumber,
  appendText,
  synthesizeValue,
  synthesizeCondition,
  synthesizeAnswer,
  synthesizeGuard,
  takeDonor,
  addElseBefore,
  swapIfAndWhile,
  keepFormerValue,
  swapNestedCalls,
]

const NAMES_MAX = 7
const TEXTS_MAX = 8

/** `x` → `x[0]`, `len(x)`. */
function takePart(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!dialect.isNumeric(node) || node.text.includes('\n')) return
  for (const part of dialect.writeParts(bracketed(node.text))) add('part', node.startIndex, node.endIndex, part)
}

/** `x` → `f(x)` with a function of this file, or one that is called nearby: a recursion or a helper was forgotten. */
function callWithValue(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, functions } = facts
  if (!dialect.isNumeric(node) || node.text.includes('\n')) return
  for (const name of functions) add('missing_call', node.startIndex, node.endIndex, `${name}(${node.text})`)
  for (const name of facts.calledAt(node))
    add('missing_call', node.startIndex, node.endIndex, `${name}(${node.text})`, 0.7)
}

function negateNumber(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!dialect.isNumeric(node) || node.parent?.type.startsWith('unary')) return
  add('negation', node.startIndex, node.endIndex, `-${bracketed(node.text)}`, 0.5)
}

function appendText(node: Node, { dialect, texts, literals }: SourceFacts, add: Add): void {
  if (!dialect.isNumeric(node)) return
  const { startIndex: start, endIndex: end, text } = node
  for (const other of [...texts, ...literals.texts].slice(0, TEXTS_MAX)) {
    add('combined', start, end, `(${text} + ${other})`, 0.7)
    add('combined', start, end, `(${other} + ${text})`, 0.6)
  }
}

function synthesizeValue(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isExpression(node) || dialect.text(node) !== null || node.text.includes('\n')) return
  const { startIndex: start, endIndex: end } = node
  const names = facts.namesAt(node).slice(0, NAMES_MAX)
  for (const name of names) {
    for (const other of dialect.writeParts(name)) add('synthesized', start, end, other)
    for (const sign of ['+ 1', '- 1', '* 2']) add('synthesized', start, end, `(${name} ${sign})`)
    for (const second of names) {
      if (second === name) continue
      add('synthesized', start, end, `(${name} - ${second})`, 0.8)
      add('synthesized', start, end, `${name}[${second}]`, 0.8)
      // The other way round it has the same value.
      if (name < second)
        for (const sign of ['+', '*']) add('synthesized', start, end, `(${name} ${sign} ${second})`, 0.8)
    }
  }
}

function synthesizeCondition(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  const condition = dialect.condition(node)
  if (!condition) return
  const { startIndex: start, endIndex: end, text } = condition
  for (const other of smallConditions(node, facts)) {
    add('condition_weakened', start, end, dialect.writeEither(text, other), 0.6)
    add('condition_strengthened', start, end, dialect.writeBoth(other, text), 0.6)
    add('condition_replaced', start, end, other, 0.6)
  }
}

/** `return true` → a condition: the answer depends on something. */
function synthesizeAnswer(node: Node, facts: SourceFacts, add: Add): void {
  if (facts.dialect.truth(node) === null || !facts.dialect.isExpression(node)) return
  for (const other of [...facts.conditionsAt(node).map(({ text }) => text), ...smallConditions(node, facts)])
    add('condition_replaced', node.startIndex, node.endIndex, other)
}

function smallConditions(node: Node, facts: SourceFacts): string[] {
  const { dialect } = facts
  const names = facts.namesAt(node).slice(0, NAMES_MAX)
  const alone = names.flatMap((name) => {
    const { equal, unequal } = signsOf(dialect)
    const values = ['> 0', '< 0', '> 1', `${equal} 0`, `${unequal} 0`, `% 2 ${equal} 0`, `% 2 ${unequal} 0`]
    return [...values.map((rest) => `${name} ${rest}`), ...dialect.writeEmpty(name)]
  })
  const pairs = names.flatMap((first) =>
    names
      .filter((second) => second !== first)
      .flatMap((second) => [`${first} < ${second}`, `${first} < ${dialect.writeParts(second)[0]}`]),
  )
  return [...alone, ...pairs]
}

/** `if (…) return …` before a statement. */
function synthesizeGuard(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isStatement(node)) return
  const names = facts.namesAt(node).slice(0, NAMES_MAX)
  const near = facts.conditionsAt(node).slice(0, 12)
  const conditions = [...names.map((name) => dialect.writeNot(name)), ...near.map(({ text }) => text)]
  const values = [...dialect.plainValues, ...names]
  const indent = facts.indentOf(node)
  for (const condition of conditions) {
    for (const value of values) {
      const guard = dialect.writeReturnIf(condition, value)
      add('guard', node.startIndex, node.startIndex, `${guard}\n${indent}`, 0.9)
    }
  }
}

function takeDonor(node: Node, { dialect, donors }: SourceFacts, add: Add): void {
  const { startIndex: start, endIndex: end, text } = node
  if (dialect.isExpression(node) && dialect.text(node) === null) {
    for (const other of donors.expressions) if (other !== text) add('donor', start, end, other)
  }
  const condition = dialect.condition(node)
  if (!condition) return
  for (const other of donors.conditions) {
    add('donor', condition.startIndex, condition.endIndex, dialect.writeBoth(condition.text, other), 0.9)
    add('donor', condition.startIndex, condition.endIndex, dialect.writeEither(condition.text, other), 0.9)
  }
}

/** What follows an `if` was to be its `else`. */
function addElseBefore(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, source } = facts
  const before = node.previousNamedSibling
  if (!dialect.isSimpleStatement(node) || before?.type !== 'if_statement') return
  if (before.childForFieldName('alternative')) return
  const between = source.slice(before.endIndex, node.startIndex)
  if (between.trim()) return
  const indent = facts.indentOf(before)
  add('missing_else', before.endIndex, node.endIndex, dialect.writeElse(node.text, indent), 1)
}

function swapIfAndWhile(node: Node, { dialect }: SourceFacts, add: Add): void {
  const keyword = /^(if|while|for)_statement$/.test(node.type) && dialect.condition(node) ? node.child(0) : null
  if (!keyword || node.childForFieldName('alternative') || !dialect.isStatement(node)) return
  add('loop', keyword.startIndex, keyword.endIndex, keyword.text === 'if' ? dialect.whileWord : 'if')
}

/** `x = v` → `x = max(x, v)`: what was there before counts, too. */
function keepFormerValue(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!/^assignment(_expression|_statement)?$/.test(node.type)) return
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')]
  if (!left || !right || right.text.includes('\n')) return
  for (const other of dialect.writeBounds(left.text, right.text))
    add('bounded', right.startIndex, right.endIndex, other)
  add('combined', right.startIndex, right.endIndex, `${left.text} + ${bracketed(right.text)}`)
  const [former] = /[[.]/.test(left.text) ? dialect.writeDefaults(left.text).filter((one) => /\b0\)$/.test(one)) : []
  if (former) add('combined', right.startIndex, right.endIndex, `${former} + ${bracketed(right.text)}`)
}

/** `f(g(x), y)` → `g(f(x), y)`. */
function swapNestedCalls(node: Node, { dialect, source }: SourceFacts, add: Add): void {
  const outer = node.childForFieldName('function')
  for (const passed of dialect.callArguments(node) ?? []) {
    const inner = dialect.callArguments(passed) ? passed.childForFieldName('function') : null
    if (!outer || !inner || inner.text === outer.text) continue
    const between = source.slice(outer.endIndex, inner.startIndex)
    add('wrong_function', outer.startIndex, inner.endIndex, inner.text + between + outer.text)
  }
}
