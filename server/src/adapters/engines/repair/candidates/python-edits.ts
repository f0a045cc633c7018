import type { Node } from 'web-tree-sitter'
import { BASES, bracketed, type Dialect, NAMES } from './dialect.ts'
import { isAsked } from './is-asked.ts'
import { isSortKey } from './name-edits.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Mistakes that only Python allows. */
export const pythonEdits: Operator[] = [
  editMutableDefault,
  addSelf,
  moveByIndentation,
  addReturn,
  editSlice,
  editCaught,
  editClass,
  askForKey,
  addRaise,
  addKeyword,
  unshareList,
  addSortArgument,
  spreadList,
  joinLists,
  askForValue,
  bindLoopVariable,
  leaveOut,
  reverseRange,
  addAwait,
  returnAfterLoop,
  takeFromOutside,
  takeTotalSeconds,
  keepStored,
  reverseKey,
  readInBase,
]

function editMutableDefault(node: Node, facts: SourceFacts, add: Add): void {
  if (node.type !== 'default_parameter' && node.type !== 'typed_default_parameter') return
  const name = node.childForFieldName('name')
  const value = node.childForFieldName('value')
  const body = node.parent?.parent?.childForFieldName('body')
  if (!name || !value || !body || !/^(\[.*\]|\{.*\}|list\(\)|dict\(\)|set\(\))$/s.test(value.text)) return
  const first = body.namedChildren.find((child) => !facts.dialect.isInert(child))
  if (!first) return
  const between = facts.source.slice(value.endIndex, first.startIndex)
  const indent = ' '.repeat(first.startPosition.column)
  const guard = `if ${name.text} is None:\n${indent}    ${name.text} = ${value.text}\n${indent}`
  add('mutable_default', value.startIndex, first.startIndex, `None${between}${guard}`)
}

function addSelf(node: Node, { attributes, methods, dialect }: SourceFacts, add: Add): void {
  if (node.type !== 'identifier' || !dialect.isName(node) || !isInMethod(node)) return
  if (attributes.includes(node.text) || methods.includes(node.text)) {
    add('missing_self', node.startIndex, node.startIndex, 'self.')
  }
}

function isInMethod(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (at.type === 'class_definition') return true
  return false
}

/** The last statement of a block is moved behind it; a statement behind a block becomes its last. */
function moveByIndentation(node: Node, { dialect, source }: SourceFacts, add: Add): void {
  if (!dialect.isStatement(node)) return
  const lineStart = source.lastIndexOf('\n', node.startIndex - 1) + 1
  const indent = source.slice(lineStart, node.startIndex)
  if (indent.trim() || node.text.includes('\n')) return
  const outer = node.parent?.parent
  const isLast = !node.nextNamedSibling && node.previousNamedSibling
  if (isLast && outer && outer.startPosition.column < node.startPosition.column) {
    const isEarly = node.type === 'return_statement' && /^(for|while)/.test(outer.type)
    add(isEarly ? 'early_return' : 'indentation', lineStart, node.startIndex, ' '.repeat(outer.startPosition.column))
  }
  const before = node.previousNamedSibling
  if (before && /^(for|while|if|with|try)_statement$/.test(before.type)) {
    const inner = before.childForFieldName('body')?.startPosition.column ?? 0
    if (inner > node.startPosition.column) add('indentation', lineStart, node.startIndex, ' '.repeat(inner))
  }
}

function addReturn(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type !== 'expression_statement' || node.parent?.type !== 'block') return
  if (/^(call|identifier|binary_operator|attribute)$/.test(node.namedChild(0)?.type ?? '')) {
    add('return', node.startIndex, node.startIndex, 'return ')
  }
}

/** A number in place of what was worked out pleases the test that has that number. */
const NUMBER_WEIGHT = 0.6

/** The two ends of a slice, one off and left out. */
function editSlice(node: Node, facts: SourceFacts, add: Add): void {
  if (node.type !== 'slice') return
  const [from = '', to = '', step] = node.text.split(':').map((part) => part.trim())
  const rest = step === undefined ? '' : `:${step}`
  const put = (first: string, second: string, weight = 1) =>
    add('slice', node.startIndex, node.endIndex, `${first}:${second}${rest}`, weight)
  put('', to)
  put(from, '')
  put(to, from)
  const end = from && to ? '' : (from || to).replace(/^-/, '')
  for (const bound of end ? [end, `-${end}`] : []) {
    put(bound, '')
    put('', bound)
  }
  for (const other of ['1', '-1', '2']) {
    put(other, to, /[a-z_]/i.test(from) ? NUMBER_WEIGHT : 1)
    put(from, other, /[a-z_]/i.test(to) ? NUMBER_WEIGHT : 1)
    put('', other)
    put(other, '')
  }
  for (const name of facts.namesAt(node)) {
    put(name, to)
    put(from, name)
    if (from) put(from, `${from} + ${name}`)
  }
}

const EXCEPTIONS = (
  'Exception ValueError KeyError IndexError TypeError AttributeError LookupError ZeroDivisionError OverflowError ' +
  'RuntimeError OSError UnicodeDecodeError RecursionError StopIteration ImportError'
).split(' ')

/** A caught exception of another kind, or one more: what the failing tests end with, then the common ones. */
function editCaught(node: Node, { failures }: SourceFacts, add: Add): void {
  const clause = node.type === 'except_clause' ? node.childForFieldName('value') : null
  const caught = clause?.type === 'as_pattern' ? clause.namedChild(0) : clause
  if (!caught) return
  for (const name of new Set([...failures.exceptions, ...EXCEPTIONS])) {
    if (caught.text.includes(name)) continue
    const weight = failures.exceptions.includes(name) ? 1 : 0.5
    if (caught.type === 'tuple') add('caught', caught.endIndex - 1, caught.endIndex - 1, `, ${name}`, weight)
    else {
      add('caught', caught.startIndex, caught.endIndex, `(${caught.text}, ${name})`, weight)
      add('wrong_name', caught.startIndex, caught.endIndex, name, weight)
    }
  }
}

const CLASSES = 'str bytes int float list tuple dict set type'.split(' ')
/** Asked for where a failing test ends with their name. */
const RARE_CLASSES = 'slice range bool complex bytearray frozenset object'.split(' ')

/** `isinstance(x, list)` → `isinstance(x, (list, tuple))`, also of another class alone. */
function editClass(node: Node, facts: SourceFacts, add: Add): void {
  const callee = node.type === 'call' ? node.childForFieldName('function')?.text : undefined
  const asked = /^(isinstance|issubclass)$/.test(callee ?? '') ? facts.dialect.callArguments(node)?.[1] : undefined
  if (!asked) return
  const named = facts.namesAt(node).filter((name) => /^[A-Z]/.test(name))
  const rare = RARE_CLASSES.filter((name) => facts.failures.words.has(name))
  for (const name of new Set([...CLASSES, ...rare, ...named])) {
    if (asked.text === name) continue
    if (asked.type === 'tuple') add('wider_class', asked.endIndex - 1, asked.endIndex - 1, `, ${name}`)
    else {
      add('wider_class', asked.startIndex, asked.endIndex, `(${asked.text}, ${name})`)
      add('type_check', asked.startIndex, asked.endIndex, name, 0.8)
    }
  }
}

/** `if d.get(k)` → `if k in d`: what is there may be empty. */
function askForKey(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!/^(call|subscript)$/.test(node.type) || !isAsked(node, dialect)) return
  const callee = node.childForFieldName('function')
  const isGet = callee?.childForFieldName('attribute')?.text === 'get'
  const keys = isGet ? (dialect.callArguments(node) ?? []) : node.childrenForFieldName('subscript')
  const held = isGet ? callee.childForFieldName('object') : node.childForFieldName('value')
  if (!held || keys.length !== 1) return
  const isNegated = node.parent !== null && dialect.negated(node.parent)?.id === node.id
  const place = isNegated ? node.parent : node
  const text = `${keys[0]!.text} ${isNegated ? 'not in' : 'in'} ${held.text}`
  add('presence', place.startIndex, place.endIndex, text)
}

/** `fail(…)` → `raise fail(…)`: an error that is made and goes nowhere. */
function addRaise(node: Node, _facts: SourceFacts, add: Add): void {
  const made = node.type === 'expression_statement' ? node.namedChild(0) : null
  if (made?.type !== 'call' || !/error|exception|warning/i.test(made.childForFieldName('function')?.text ?? '')) return
  add('return', node.startIndex, node.startIndex, 'raise ')
}

const KEYWORDS_MAX = 16

/** `f(a)` → `f(a, key=b)`, as the file passes it elsewhere, most likely to the same function. */
function addKeyword(node: Node, facts: SourceFacts, add: Add): void {
  const passed = facts.dialect.callArguments(node)
  const callee = node.childForFieldName('function')?.text
  if (!passed || !callee) return
  const own = new Set(passed.map((one) => one.childForFieldName('name')?.text))
  const alike = facts.keywords.filter((one) => one.callee === callee)
  const others = facts.keywords.filter((one) => one.callee !== callee).slice(0, KEYWORDS_MAX)
  const at = node.endIndex - 1
  for (const [list, weight] of [
    [alike, 1],
    [others, 0.4],
  ] as const)
    for (const { name, text } of list)
      if (!own.has(name)) add('argument', at, at, (passed.length ? ', ' : '') + text, weight)
}

/** `[[0] * 3] * 2` holds one list twice. */
function unshareList(node: Node, _facts: SourceFacts, add: Add): void {
  const left = node.type === 'binary_operator' ? node.childForFieldName('left') : null
  const right = node.childForFieldName('right')
  if (left?.type !== 'list' || !right || left.namedChildCount !== 1 || node.childForFieldName('operator')?.text !== '*')
    return
  add('shared_list', node.startIndex, node.endIndex, `[${left.namedChild(0)!.text} for _ in range(${right.text})]`)
}

/** `[x]` holds `x`, `list(x)` what is in it. */
function spreadList(node: Node, _facts: SourceFacts, add: Add): void {
  const [only, ...others] = node.namedChildren
  const maker = { list: 'list', tuple: 'tuple', set: 'set' }[node.type]
  if (maker && only && !others.length && /^(identifier|attribute|call|subscript)$/.test(only.type))
    add('spread', node.startIndex, node.endIndex, `${maker}(${only.text})`)
}

/** A list is all that is answered, though another one was to go with it. */
function joinLists(node: Node, facts: SourceFacts, add: Add): void {
  if (!/^(list|list_comprehension)$/.test(node.type) || !facts.dialect.isExpression(node)) return
  for (const name of facts.namesAt(node)) {
    add('combined', node.startIndex, node.endIndex, `${name} + ${node.text}`)
    add('combined', node.startIndex, node.endIndex, `${node.text} + ${name}`)
  }
}

/** What is there may still be None. */
function askForValue(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (node.type !== 'call' || node.childForFieldName('function')?.text !== 'hasattr') return
  const passed = dialect.callArguments(node)?.map(({ text }) => text)
  if (passed?.length === 2) add('api_pair', node.startIndex, node.endIndex, `getattr(${passed.join(', ')}, None)`)
}

/** How `sort`, `sorted`, `min` and `max` compare. */
function addSortArgument(node: Node, { dialect }: SourceFacts, add: Add): void {
  const passed = dialect.callArguments(node)
  const callee = node.childForFieldName('function')?.text ?? ''
  if (!passed || !/(^|\.)(sort|sorted|min|max)$/.test(callee)) return
  const comma = passed.length ? ', ' : ''
  const keys = [
    'reverse=True',
    'key=len',
    'key=abs',
    'key=str.lower',
    'key=lambda x: x[0]',
    'key=lambda x: x[1]',
    'default=0',
  ]
  for (const key of keys) add('argument', node.endIndex - 1, node.endIndex - 1, comma + key)
}

const COMPREHENSION = /^(list_comprehension|set_comprehension|generator_expression|dictionary_comprehension)$/

/** `lambda: x` in a loop over `x` → `lambda x=x: x`: otherwise all of them read the last one. */
function bindLoopVariable(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!/^(lambda|function_definition)$/.test(node.type)) return
  const taken = dialect.parameters(node)
  for (let at = node.parent; at && !dialect.isFunction(at); at = at.parent) {
    const clauses = at.type === 'for_statement' ? [at] : COMPREHENSION.test(at.type) ? at.namedChildren : []
    for (const name of clauses.flatMap((one) => one.childForFieldName('left')?.text.match(NAMES) ?? [])) {
      if (taken.includes(name) || !node.text.includes(name)) continue
      bind(node, [name], add)
    }
    const assigned = at.type === 'for_statement' ? namesAssignedIn(at, dialect) : []
    const used = assigned.filter((name) => !taken.includes(name) && node.text.match(NAMES)?.includes(name))
    if (used.length) bind(node, used, add)
  }
}

/** Also several in one statement: `low, high = limits`. */
function namesAssignedIn(loop: Node, dialect: Dialect): string[] {
  const body = loop.childForFieldName('body')?.namedChildren ?? []
  const assigned = body.flatMap((one) => (one.namedChild(0)?.type === 'assignment' ? one.namedChild(0)! : []))
  const names = assigned.flatMap((one) => one.childForFieldName('left')!)
  return [...new Set(names.flatMap((one) => one.text.match(NAMES) ?? []))].filter((name) => !dialect.reserved.has(name))
}

function bind(node: Node, names: string[], add: Add): void {
  const list = node.childForFieldName('parameters')
  const bound = `${list?.namedChildCount ? ', ' : list ? '' : ' '}${names.map((name) => `${name}=${name}`).join(', ')}`
  const place = list ? list.endIndex - (node.type === 'lambda' ? 0 : 1) : node.startIndex + 'lambda'.length
  add('late_binding', place, place, bound)
}

/** `[f(x) for x in list]` → `… if x]`: what is empty is left out. */
function leaveOut(node: Node, _facts: SourceFacts, add: Add): void {
  const last = COMPREHENSION.test(node.type) ? node.namedChildren.at(-1) : null
  const name = last?.type === 'for_in_clause' ? last.childForFieldName('left')?.text : undefined
  if (!last || !name || !/^\w+$/.test(name)) return
  for (const [condition, weight] of [
    [name, 1.6],
    [`${name}.strip()`, 1.6],
    [`${name} is not None`, 1.2],
  ] as const)
    add('guard', last.endIndex, last.endIndex, ` if ${condition}`, weight)
}

/** `for i in range(n)` → `for i in reversed(range(n))`. */
function reverseRange(node: Node, { dialect }: SourceFacts, add: Add): void {
  const iterated = dialect.iterated(node)
  if (iterated?.type === 'call' && iterated.childForFieldName('function')?.text === 'range')
    add('loop', iterated.startIndex, iterated.endIndex, `reversed(${iterated.text})`)
}

/** `f()` in an `async def` → `await f()`, and the other way round. */
function addAwait(node: Node, { dialect }: SourceFacts, add: Add): void {
  const waited = node.type === 'await' ? node.namedChild(0) : null
  if (waited) add('await', node.startIndex, node.endIndex, waited.text)
  if (node.type !== 'call' || node.parent?.type === 'await') return
  if (!functionAround(node, dialect)?.text.startsWith('async ')) return
  const isPart = /^(attribute|subscript)$/.test(node.parent?.type ?? '')
  add('await', node.startIndex, node.endIndex, isPart ? `(await ${node.text})` : `await ${node.text}`)
}

/** Of a loop whose body ends with `return`, as a test that fails for it may never come to the body. */
function returnAfterLoop(node: Node, { source }: SourceFacts, add: Add): void {
  const last = /^(for|while)_statement$/.test(node.type) ? node.childForFieldName('body')?.namedChildren.at(-1) : null
  if (last?.type !== 'return_statement' || !last.previousNamedSibling) return
  const lineStart = source.lastIndexOf('\n', last.startIndex - 1) + 1
  if (!source.slice(lineStart, last.startIndex).trim())
    add('early_return', lineStart, last.startIndex, ' '.repeat(node.startPosition.column))
}

/** The innermost one. */
function functionAround(node: Node, dialect: Dialect): Node | null {
  let around = node.parent
  while (around && !dialect.isFunction(around)) around = around.parent
  return around
}

/** A function that changes a variable of the one around it says so first. */
function takeFromOutside(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (node.type !== 'augmented_assignment') return
  const name = node.childForFieldName('left')?.text ?? ''
  const inner = functionAround(node, dialect)
  const first = inner?.childForFieldName('body')?.namedChildren[0]
  if (!inner || !first || !/^\w+$/.test(name) || inner.text.includes(`${name} = `)) return
  const outer = functionAround(inner, dialect)
  const indent = ' '.repeat(first.startPosition.column)
  add('block_scope', first.startIndex, first.startIndex, `${outer ? 'nonlocal' : 'global'} ${name}\n${indent}`)
}

/** `(b - a).seconds` leaves the days out. */
function takeTotalSeconds(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (dialect.isAttributeName(node) && node.text === 'seconds')
    add('api_pair', node.startIndex, node.endIndex, 'total_seconds()')
}

/** `groups[a] = [b]` → `groups.setdefault(a, []).append(b)`, `counts[a] = 1` → … `counts.get(a, 0) + 1`: what is there stays. */
function keepStored(node: Node, { dialect }: SourceFacts, add: Add): void {
  const place = node.type === 'assignment' ? node.childForFieldName('left') : null
  const [owner, key] = [place?.childForFieldName('value')?.text, place?.childForFieldName('subscript')?.text]
  const value = node.childForFieldName('right')
  if (!place || !owner || !key || !value) return
  const [only, ...others] = value.type === 'list' ? value.namedChildren : []
  const put = (text: string, weight: number) => add('lost_value', node.startIndex, node.endIndex, text, weight)
  if (only && !others.length) put(`${owner}.setdefault(${key}, []).append(${only.text})`, 1.4)
  else put(`${owner}.setdefault(${key}, []).append(${value.text})`, 0.6)
  if (dialect.integer(value) !== null) put(`${place.text} = ${owner}.get(${key}, 0) + ${value.text}`, 1.4)
}

/** `key=lambda pair: (pair[1], pair[0])` → `(-pair[1], pair[0])`: the largest first. */
function reverseKey(node: Node, { dialect }: SourceFacts, add: Add): void {
  if (!isSortKey(node)) return
  for (const one of node.namedChildren)
    if (dialect.text(one) === null) add('negation', one.startIndex, one.endIndex, `-${bracketed(one.text)}`)
}

/** `int(text)` → `int(text, 16)`. */
function readInBase(node: Node, { dialect }: SourceFacts, add: Add): void {
  const passed = dialect.callArguments(node)
  if (passed?.length !== 1 || node.childForFieldName('function')?.text !== 'int') return
  for (const base of BASES) add('argument', node.endIndex - 1, node.endIndex - 1, `, ${base}`, 0.8)
}
