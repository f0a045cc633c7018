import type { Node } from 'web-tree-sitter'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators on names, calls and their arguments. */
export const nameEdits: Operator[] = [
  editName,
  nameForNumber,
  editAttribute,
  editTaken,
  editCallee,
  callInstead,
  editApiPair,
  swapSequence,
  unwrapCall,
  addArgument,
  editTarget,
]

function editName(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect } = facts
  if (!dialect.isName(node) || !dialect.isExpression(node) || dialect.reserved.has(node.text)) return
  const isShorthand = node.type === 'shorthand_property_identifier'
  const locals = facts.localsAt(node)
  // Few mean to change a list while they go through it.
  const changed = isChanged(node) ? iteratedAround(node, facts) : null
  for (const name of facts.namesAt(node)) {
    // What varies is rarely mixed up with what is the same in every call.
    const weight = (locals.has(node.text) && !locals.has(name) ? 0.5 : 1) * (changed?.includes(name) ? 0.3 : 1)
    add('wrong_name', node.startIndex, node.endIndex, isShorthand ? `${node.text}: ${name}` : name, weight)
  }
}

const SMALL_MAX = 2

/** `row = [0]` → `row = [i]`. */
function nameForNumber(node: Node, facts: SourceFacts, add: Add): void {
  const value = facts.dialect.integer(node)
  if (value === null || value > SMALL_MAX) return
  for (const name of facts.localsAt(node)) add('wrong_name', node.startIndex, node.endIndex, name, 0.5)
}

/** Whether it is `x` of a statement `x.f(…)`. */
function isChanged({ parent }: Node): boolean {
  const call = parent && PART.test(parent.type) ? parent.parent : null
  return call?.parent?.type === 'expression_statement' && call.childForFieldName('function')?.id === parent?.id
}

/** What the loops around a node go through. */
function iteratedAround(node: Node, { dialect }: SourceFacts): string[] {
  const iterated: string[] = []
  for (let at: Node | null = node; at && !dialect.isFunction(at); at = at.parent) {
    const text = dialect.iterated(at)?.text
    if (text !== undefined) iterated.push(text)
  }
  return iterated
}

const PART = /^(attribute|member_expression|selector_expression|subscript|subscript_expression|index_expression)$/

function objectOf(node: Node): Node | null {
  return node.childForFieldName('object') ?? node.childForFieldName('operand')
}

function editAttribute(node: Node, { dialect, attributes, methods }: SourceFacts, add: Add): void {
  if (dialect.isAttributeName(node)) {
    const isMethod = node.parent !== null && dialect.isCallee(node.parent)
    for (const other of isMethod ? methods : attributes) {
      add(isMethod ? 'wrong_function' : 'attribute', node.startIndex, node.endIndex, other)
    }
  }
  if (!dialect.isExpression(node) || !PART.test(node.type)) return
  const inner = objectOf(node) ?? node.childForFieldName('value')
  if (inner) add('attribute', node.startIndex, node.endIndex, inner.text, OWN.test(inner.text) ? 0.8 : 1)
}

/** `stat.size` → `length`, where that began as `stat.size` and has changed since. */
function editTaken(node: Node, facts: SourceFacts, add: Add): void {
  if (!facts.dialect.isExpression(node) || !PART.test(node.type)) return
  for (const name of facts.takenAt(node, node.text)) add('changed_value', node.startIndex, node.endIndex, name)
}

/** `table[key]` → `f(key)`: a function knows more than the table, most likely one that asks the table, too. */
function callInstead(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, functions } = facts
  if (!dialect.isExpression(node) || !/^(subscript|subscript_expression|index_expression)$/.test(node.type)) return
  const key = node.childForFieldName('index') ?? node.childForFieldName('subscript')
  if (!key) return
  const asks = facts.functionsWith(node.text.slice(0, key.startIndex - node.startIndex))
  for (const name of functions) {
    const weight = (asks.has(name) ? 1.1 : 0.7) + (sharesWord(name, node.text) ? 0.1 : 0)
    add('missing_call', node.startIndex, node.endIndex, `${name}(${key.text})`, weight)
  }
}

/** By how words begin: `isBooleanKey` and `flags.bools`. */
function sharesWord(name: string, other: string): boolean {
  const words = other.match(/[A-Za-z][a-z]{3,}/g) ?? []
  return words.some((word) => name.toLowerCase().includes(word.slice(0, 4).toLowerCase()))
}

/** `f(x)` → `g(x)`, also `self.g(x)`. */
function editCallee(node: Node, facts: SourceFacts, add: Add): void {
  const { dialect, functions, ownMethods } = facts
  if (!dialect.isCallee(node)) return
  const isOwn = OWN.test(node.text)
  if (dialect.isName(node) || isOwn)
    for (const other of functions) add('wrong_function', node.startIndex, node.endIndex, other)
  const around = facts.outermostFunction(node)
  const own = dialect.functionName(around)
  // What calls itself for one part may have to for another one.
  if (own && node.text !== own && around.text.split(`${own}(`).length > 2)
    add('wrong_function', node.startIndex, node.endIndex, own, 1.5)
  if (!dialect.isName(node) || !OWN.test(around.text)) return
  for (const other of ownMethods) add('wrong_function', node.startIndex, node.endIndex, other, 1.2)
}

const OWN = /\b(?:self|this)\b/

const ROUNDS = /^(floor|ceil|round|trunc)$/
/** What takes away what it gives: few write that where they mean to look. */
const TAKES = /^(pop|popleft|shift|splice)$/

function editApiPair(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!dialect.isName(node) && !dialect.isAttributeName(node)) return
  const pairs = Object.hasOwn(dialect.apiPairs, node.text) ? dialect.apiPairs[node.text] : undefined
  for (const other of pairs ?? []) {
    const weight = ROUNDS.test(other) ? 1.2 : TAKES.test(other) && !TAKES.test(node.text) ? 0.6 : 1
    add('api_pair', node.startIndex, node.endIndex, other, weight)
  }
}

function swapSequence(node: Node, { dialect, source }: SourceFacts, add: Add): void {
  const items = dialect.sequence(node)
  if (!items || items.length > 8) return
  for (const [at, first] of items.entries()) {
    for (const second of items.slice(at + 1)) {
      const between = source.slice(first.endIndex, second.startIndex)
      // What is sorted by two values is more often sorted the wrong way round by one of them.
      const weight = isSortKey(node) ? 0.6 : 1
      add('swapped_arguments', first.startIndex, second.endIndex, second.text + between + first.text, weight)
    }
  }
}

/** Of `key=lambda pair: (pair[1], pair[0])`: the values. */
export function isSortKey({ type, parent }: Node): boolean {
  return type === 'tuple' && parent?.type === 'lambda' && parent.parent?.childForFieldName('name')?.text === 'key'
}

function unwrapCall(node: Node, { dialect }: SourceFacts, add: Add): void {
  const passed = dialect.callArguments(node)
  if (!passed) return
  const [start, end] = [node.startIndex, node.endIndex]
  if (passed[0] && dialect.isExpression(node)) add('unwrapped_call', start, end, passed[0].text)
  const callee = node.childForFieldName('function')
  const object = callee && objectOf(callee)
  if (object && dialect.isExpression(node)) add('unwrapped_call', start, end, object.text)
  const last = passed.at(-1)
  if (last && passed.length > 1) add('dropped_operand', passed.at(-2)!.endIndex, last.endIndex, '')
}

const ASSIGNS = /^(augmented_)?assignment(_expression|_statement)?$|^augmented_assignment_expression$/
const TARGET = /^[A-Za-z_$][\w.$]*(\[[^[\]]+\])?$/

/** What is stored, and where it should not be. */
function editTarget(node: Node, { dialect, expressions }: SourceFacts, add: Add): void {
  const { parent } = node
  if (!parent || !ASSIGNS.test(parent.type) || parent.childForFieldName('left')?.id !== node.id) return
  for (const other of expressions) {
    const isTarget = TARGET.test(other) && !dialect.reserved.has(other) && other !== node.text
    if (isTarget) add('wrong_target', node.startIndex, node.endIndex, other)
  }
}

const PASSED_MAX = 5

function addArgument(node: Node, facts: SourceFacts, add: Add): void {
  const passed = facts.dialect.callArguments(node)
  if (!passed || passed.length > PASSED_MAX) return
  const at = node.endIndex - 1
  const comma = passed.length ? ', ' : ''
  const values = ['0', '1', '-1', facts.dialect.writeTruth(true), facts.dialect.writeTruth(false)]
  for (const value of passed.length > 2 ? [] : values) add('argument', at, at, comma + value)
  const locals = facts.localsAt(node)
  for (const name of facts.namesAt(node)) add('argument', at, at, comma + name, locals.has(name) ? 1 : 0.6)
}
