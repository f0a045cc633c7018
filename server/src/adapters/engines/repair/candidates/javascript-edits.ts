import type { Node } from 'web-tree-sitter'
import { BASES } from './dialect.ts'
import { isAsked } from './is-asked.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Mistakes that only JavaScript and TypeScript allow. */
export const javascriptEdits: Operator[] = [
  addAwait,
  addReturn,
  editComparator,
  editDeclaration,
  addOptionalChain,
  editFlags,
  addArgument,
  moveReturn,
  addBreak,
  unshareList,
  addPatternDefault,
  spreadList,
  passOn,
  writeArrow,
  addThrow,
  askForProperty,
  editIdiom,
  editSlice,
  leaveOut,
  passOne,
  reverseLoop,
  splitOnce,
  keepStored,
  readInBase,
  keepUnsigned,
  moveIntoBlock,
]

/** `[x]` holds `x`, `[...x]` what is in it. */
function spreadList(node: Node, _facts: SourceFacts, add: Add): void {
  const [only, ...others] = node.namedChildren
  if (
    node.type === 'array' &&
    only &&
    !others.length &&
    /^(identifier|member_expression|call_expression)$/.test(only.type)
  )
    add('spread', node.startIndex, node.endIndex, `[...${only.text}]`)
}

function addAwait(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type === 'await_expression') {
    add('await', node.startIndex, node.endIndex, node.text.replace(/^await\s+/, ''))
    return
  }
  const isAwaitable = ['call_expression', 'identifier', 'member_expression'].includes(node.type)
  if (!isAwaitable || node.parent?.type === 'await_expression' || !isInAsync(node)) return
  const { parent } = node
  if (parent?.type === 'call_expression' && parent.childForFieldName('function')?.id === node.id) return
  if (
    node.type !== 'call_expression' &&
    !['return_statement', 'variable_declarator', 'arguments'].includes(parent?.type ?? '')
  )
    return
  const needsBrackets = parent?.type === 'member_expression' || parent?.type === 'subscript_expression'
  add('await', node.startIndex, node.endIndex, needsBrackets ? `(await ${node.text})` : `await ${node.text}`)
}

function isInAsync(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (/function|method_definition/.test(at.type)) return /^(static\s+)?async\b/.test(at.text)
  }
  return true
}

function addReturn(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type !== 'expression_statement' || node.parent?.type !== 'statement_block') return
  add('return', node.startIndex, node.startIndex, 'return ')
}

const TIES_MAX = 8

/** A comparator that answers true or false, or the wrong way round; a `sort()` that compares numbers as texts. */
function editComparator(node: Node, facts: SourceFacts, add: Add): void {
  const { source } = facts
  const callee = node.type === 'call_expression' ? node.childForFieldName('function') : null
  const method = callee?.childForFieldName('property')?.text
  if (!callee || (method !== 'sort' && method !== 'toSorted')) return
  const passed = node.childForFieldName('arguments')
  if (!passed) return
  const [comparator] = passed.namedChildren
  if (!comparator) {
    for (const text of ['(a, b) => a - b', '(a, b) => b - a', '(a, b) => a.localeCompare(b)']) {
      add('comparator', passed.startIndex, passed.endIndex, `(${text})`)
    }
    return
  }
  const body = comparator.childForFieldName('body')
  if (body?.type !== 'binary_expression') return
  const left = body.childForFieldName('left')
  const right = body.childForFieldName('right')
  if (!left || !right) return
  for (const [first, second] of [
    [left, right],
    [right, left],
  ] as const) {
    add('comparator', body.startIndex, body.endIndex, `${first.text} - ${second.text}`)
    add('comparator', body.startIndex, body.endIndex, `${first.text}.localeCompare(${second.text})`)
    add(
      'comparator',
      body.startIndex,
      body.endIndex,
      `${first.text} < ${second.text} ? -1 : ${first.text} > ${second.text} ? 1 : 0`,
    )
  }
  for (const attribute of facts.attributes.slice(0, TIES_MAX)) {
    const [first, second] = [left, right].map((side) => side.childForFieldName('object')?.text)
    if (!first || !second || first === second || left.text.endsWith(`.${attribute}`)) continue
    for (const tie of [
      `${first}.${attribute} - ${second}.${attribute}`,
      `${second}.${attribute} - ${first}.${attribute}`,
    ])
      add('comparator', body.endIndex, body.endIndex, ` || ${tie}`, 0.5)
  }
  add('comparator', callee.endIndex, passed.endIndex, `${source.slice(callee.endIndex, passed.endIndex)}.reverse()`)
}

function editDeclaration(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type === 'var') add('block_scope', node.startIndex, node.endIndex, 'let')
  const isIn = node.parent?.type === 'for_in_statement' && (node.type === 'in' || node.type === 'of')
  if (isIn) add('block_scope', node.startIndex, node.endIndex, node.type === 'in' ? 'of' : 'in')
}

function addOptionalChain(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type === '.' && node.parent?.type === 'member_expression') {
    add('optional_chain', node.startIndex, node.endIndex, '?.')
  }
}

function editFlags(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type !== 'regex') return
  const pattern = node.childForFieldName('pattern')
  const flags = node.childForFieldName('flags')?.text ?? ''
  const start = node.startIndex
  const end = node.endIndex
  if (!pattern) return
  for (const flag of ['g', 'i', 'm', 's', 'u']) {
    const changed = flags.includes(flag) ? flags.replace(flag, '') : flags + flag
    add('regular_expression', start, end, `/${pattern.text}/${changed}`)
  }
}

/** `reduce` without a start, `parseInt` without a base. */
function addArgument(node: Node, _facts: SourceFacts, add: Add): void {
  const callee = node.type === 'call_expression' ? node.childForFieldName('function') : null
  const passed = node.childForFieldName('arguments')
  if (!callee || passed?.namedChildCount !== 1) return
  const name = callee.childForFieldName('property')?.text ?? callee.text
  const values = name === 'reduce' ? ['0', '1', '[]', "''", '{}'] : name === 'parseInt' ? ['10', '16', '2'] : []
  for (const value of values) add('defaulted', passed.endIndex - 1, passed.endIndex - 1, `, ${value}`)
}

/** A `return` that ends a loop's body is moved behind the loop, asked of both: no failing test may come to the body. */
function moveReturn(node: Node, facts: SourceFacts, add: Add): void {
  const isLoop = facts.dialect.isLoop(node)
  const last = isLoop ? node.childForFieldName('body')?.namedChildren.at(-1) : node
  const block = last?.parent
  if (last?.type !== 'return_statement' || block?.type !== 'statement_block' || last.nextNamedSibling) return
  const loop = block.parent
  if (!loop || !facts.dialect.isLoop(loop)) return
  const moved = `${facts.source.slice(last.endIndex, block.endIndex)}\n${facts.indentOf(loop)}${last.text}`
  add('early_return', last.startIndex, block.endIndex, moved.trimStart())
}

function addBreak(node: Node, facts: SourceFacts, add: Add): void {
  if (node.type !== 'switch_case') return
  const last = node.namedChildren.at(-1)
  if (last && !/^(break|return|throw|continue)/.test(last.type)) {
    add('return', last.endIndex, last.endIndex, `\n${facts.indentOf(last)}break`)
  }
}

/** `Array(3).fill([])` holds one list three times. */
function unshareList(node: Node, _facts: SourceFacts, add: Add): void {
  const text = node.type === 'call_expression' ? node.text : ''
  const opening = /^(?:new )?Array\(/.exec(text)?.[0].length ?? -1
  const between = text.indexOf(').fill(', opening + 1)
  if (opening < 0 || between < 0 || !text.endsWith(')')) return
  const length = text.slice(opening, between)
  const value = text.slice(between + ').fill('.length, -1)
  if (!value) return
  add('shared_list', node.startIndex, node.endIndex, `Array.from({ length: ${length} }, () => (${value}))`)
}

/** `const [a, b] = …`: a name that nothing is there for gets a value. */
function addPatternDefault(node: Node, { dialect }: SourceFacts, add: Add): void {
  const isName = node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern'
  if (!isName || !/^(array_pattern|object_pattern|formal_parameters)$/.test(node.parent?.type ?? '')) return
  for (const value of dialect.plainValues) {
    if (value !== 'undefined') add('defaulted', node.endIndex, node.endIndex, ` = ${value}`)
  }
}

/** `{ sort: false }` → `{ sort: false, ...options }`: what was given is not passed on. */
function passOn(node: Node, facts: SourceFacts, add: Add): void {
  if (node.type !== 'object') return
  const last = node.namedChildren.at(-1)
  const at = last?.endIndex ?? node.endIndex - 1
  for (const name of facts.namesAt(node)) {
    if (!node.text.includes(`...${name}`)) add('argument', at, at, `${last ? ', ' : ''}...${name}`, 0.8)
  }
}

/** `filter(x > x < 1)` → `filter(x => x < 1)`, with each sign that may be meant. */
function writeArrow(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (node.parent?.type !== 'arguments') return
  const chain = dialect.comparison(node)
  const first = chain && dialect.comparison(chain.left)
  const at = first ?? chain
  if (at?.operator.text !== '>' || at.left.type !== 'identifier') return
  const value = (sign: string) => (first ? `${first.right.text} ${sign} ${chain.right.text}` : at.right.text)
  for (const sign of first ? [chain.operator.text, ...(dialect.comparisonSwaps[chain.operator.type] ?? [])] : [''])
    add('arrow', node.startIndex, node.endIndex, `${at.left.text} => ${value(sign)}`)
}

/** `new TypeError('…')` → `throw new TypeError('…')`: an error that is made and goes nowhere. */
function addThrow(node: Node, _facts: SourceFacts, add: Add): void {
  const made = node.type === 'expression_statement' ? node.namedChild(0) : null
  const callee = made?.childForFieldName('constructor') ?? made?.childForFieldName('function')
  if (callee && /error|exception/i.test(callee.text)) add('return', node.startIndex, node.startIndex, 'throw ')
}

/** `if (o[k])` → `if (k in o)`: what is there may be empty. */
function askForProperty(node: Node, { dialect }: SourceFacts, add: Add): void {
  const key =
    node.type === 'subscript_expression'
      ? node.childForFieldName('index')?.text
      : node.type === 'member_expression'
        ? `'${node.childForFieldName('property')?.text}'`
        : undefined
  const held = node.childForFieldName('object')?.text
  if (!key || !held || !isAsked(node, dialect)) return
  const isNegated = node.parent !== null && dialect.negated(node.parent)?.id === node.id
  for (const [text, weight] of [
    [`(${key} in ${held})`, 0.8],
    [`Object.hasOwn(${held}, ${key})`, 0.6],
  ] as const)
    add('presence', node.startIndex, node.endIndex, text, isNegated ? weight * 0.9 : weight)
}

/** `o.hasOwnProperty(k)` fails where `o` has none, `text.split('')` parts letters of two units. */
function editIdiom(node: Node, { dialect }: SourceFacts, add: Add): void {
  const [passed, ...others] = dialect.callArguments(node) ?? []
  const callee = node.childForFieldName('function')
  const [object, method] = ['object', 'property'].map((field) => callee?.childForFieldName(field)?.text)
  if (!passed || others.length || !object) return
  const [start, end] = [node.startIndex, node.endIndex]
  if (method === 'hasOwnProperty')
    add('api_pair', start, end, `Object.prototype.hasOwnProperty.call(${object}, ${passed.text})`)
  if (method === 'split' && (passed.text === "''" || passed.text === '""'))
    add('api_pair', start, end, `Array.from(${object})`)
}

/** Of `o.f(…)`: `o`, where `.f` begins, its name, and what it is given. */
type Method = { object: string; at: number; name: string; passed: Node[] }

function methodOf(node: Node, { dialect }: SourceFacts): Method | null {
  const passed = dialect.callArguments(node)
  const callee = node.childForFieldName('function')
  const [object, property] = [callee?.childForFieldName('object'), callee?.childForFieldName('property')]
  return passed && object && property ? { object: object.text, at: object.endIndex, name: property.text, passed } : null
}

/** `slice(3)` → `slice(-3)`, `slice(0, 3)`, `slice(0, -3)`, and the other way round. */
function editSlice(node: Node, facts: SourceFacts, add: Add): void {
  const method = methodOf(node, facts)
  const [first, second] = method?.passed ?? []
  if (method?.name !== 'slice' || !first || (second && first.text !== '0')) return
  const end = (second ?? first).text.replace(/^-/, '')
  if (!/^\w+$/.test(end)) return
  for (const passed of [end, `-${end}`, `0, ${end}`, `0, -${end}`])
    add('slice', first.startIndex, (second ?? first).endIndex, passed)
}

/** `text.split(',').map(f)` → `text.split(',').filter(Boolean).map(f)`: what is empty is left out. */
function leaveOut(node: Node, facts: SourceFacts, add: Add): void {
  const method = methodOf(node, facts)
  if (!method || !/^(map|flatMap|forEach|reduce|split)$/.test(method.name)) return
  const at = method.name === 'split' ? node.endIndex : method.at
  for (const [condition, weight] of [
    ['Boolean', 1.6],
    ['(one) => one.trim()', 1.4],
    ['(one) => one != null', 1.2],
  ] as const)
    add('guard', at, at, `.filter(${condition})`, weight)
}

/** `map(parseInt)` → `map((one) => parseInt(one))`: the index that is passed, too, means something else to it. */
function passOne(node: Node, facts: SourceFacts, add: Add): void {
  const method = methodOf(node, facts)
  const [first, ...others] = method?.passed ?? []
  if (!first || others.length || !/^(map|flatMap|forEach|filter|some|every|find)$/.test(method!.name)) return
  if (!/^(identifier|member_expression)$/.test(first.type)) return
  add('argument', first.startIndex, first.endIndex, `(one) => ${first.text}(one)`, 1.4)
}

/** `for (let i = a; i < b; i++)` → `for (let i = b - 1; i >= a; i--)`, and the other way round. */
function reverseLoop(node: Node, { dialect }: SourceFacts, add: Add): void {
  const declared = node.type === 'for_statement' ? node.childForFieldName('initializer')?.namedChild(0) : null
  const condition = node.childForFieldName('condition')
  const step = node.childForFieldName('increment')
  const test = condition?.type === 'expression_statement' ? condition.namedChild(0) : condition
  const asked = test ? dialect.comparison(test) : null
  const [name, first] = [declared?.childForFieldName('name')?.text, declared?.childForFieldName('value')]
  if (!asked || !first || !step || !name || asked.left.text !== name || !/^[<>]=?$/.test(asked.operator.text)) return
  const isUp = step.text === `${name}++`
  if (!isUp && step.text !== `${name}--`) return
  const isOpen = !asked.operator.text.endsWith('=')
  const last = isOpen ? `${asked.right.text} ${isUp ? '-' : '+'} 1` : asked.right.text
  const reversed = `${last}; ${name} ${isUp ? '>=' : '<='} ${first.text}; ${name}${isUp ? '--' : '++'}`
  add('loop', first.startIndex, step.endIndex, reversed)
}

/** `const [key, value] = line.split('=')` → `line.split(/=(.*)/s)`: what comes after the first mark is one value. */
function splitOnce(node: Node, facts: SourceFacts, add: Add): void {
  const method = node.parent?.childForFieldName('name')?.type === 'array_pattern' ? methodOf(node, facts) : null
  const [mark, ...others] = method?.passed ?? []
  if (method?.name !== 'split' || !mark || others.length || !/^['"][=:;, -]{1,2}['"]$/.test(mark.text)) return
  add('argument', mark.startIndex, mark.endIndex, `/${mark.text.slice(1, -1)}(.*)/s`)
}

/** `groups[a] = [b]` → `(groups[a] ??= []).push(b)`, `counts.set(a, 1)` → … `(counts.get(a) ?? 0) + 1`: what is there stays. */
function keepStored(node: Node, facts: SourceFacts, add: Add): void {
  const place = node.type === 'assignment_expression' ? node.childForFieldName('left') : null
  const method = place ? null : methodOf(node, facts)
  const value = place ? node.childForFieldName('right') : method?.passed[1]
  if (!value || (place ? place.type !== 'subscript_expression' : method?.name !== 'set')) return
  const [only, ...others] = value.type === 'array' ? value.namedChildren : []
  const put = (text: string, weight: number) => add('lost_value', node.startIndex, node.endIndex, text, weight)
  const isNumber = facts.dialect.integer(value) !== null
  if (place) {
    const one = value.type === 'array' ? only : value
    if (one && !others.length) put(`(${place.text} ??= []).push(${one.text})`, only ? 1.4 : 0.6)
    if (isNumber) put(`${place.text} = (${place.text} ?? 0) + ${value.text}`, 1.4)
    return
  }
  const { object, passed } = method!
  const stored = `${object}.get(${passed[0]!.text})`
  const keep = (text: string) => put(`${object}.set(${passed[0]!.text}, ${text})`, 1.4)
  if (only && !others.length) keep(`[...(${stored} ?? []), ${only.text}]`)
  if (isNumber) keep(`(${stored} ?? 0) + ${value.text}`)
}

/** `parseInt(text)` → `parseInt(text, 16)`. */
function readInBase(node: Node, { dialect }: SourceFacts, add: Add): void {
  const passed = dialect.callArguments(node)
  if (passed?.length !== 1 || !/(^|\.)parseInt$/.test(node.childForFieldName('function')?.text ?? '')) return
  for (const base of [10, ...BASES]) add('argument', node.endIndex - 1, node.endIndex - 1, `, ${base}`)
}

/** `hash | 0` → `hash >>> 0`, which is never negative. */
function keepUnsigned(node: Node, { dialect }: SourceFacts, add: Add): void {
  const found = dialect.arithmetic(node)
  if (found?.operator.text === '|' && found.right.text === '0')
    add('arithmetic', found.operator.startIndex, found.operator.endIndex, '>>>')
}

const BEFORE_BLOCK = /^(if|for|for_in|while)_statement$/

/** A statement behind a block becomes its last one; the last one of a block is moved behind it. */
function moveIntoBlock(node: Node, facts: SourceFacts, add: Add): void {
  const [own, before] = [node.parent, node.previousNamedSibling]
  if (!own || !before || !facts.dialect.isSimpleStatement(node)) return
  const indent = facts.indentOf(node)
  const block = BEFORE_BLOCK.test(before.type) ? before.lastNamedChild : null
  if (block?.type === 'statement_block')
    add('indentation', block.endIndex - 1, node.endIndex, `  ${node.text}\n${indent}}`)
  if (own.type !== 'statement_block' || node.nextNamedSibling || !BEFORE_BLOCK.test(own.parent!.type)) return
  const outer = facts.indentOf(own.parent!)
  add('indentation', before.endIndex, own.endIndex, `\n${outer}}\n${outer}${node.text}`)
}
