import type { Node } from 'web-tree-sitter'
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
  unshareList,
  addSortArgument,
  spreadList,
  joinLists,
  askForValue,
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

/** The two ends of a slice, one off and left out. */
function editSlice(node: Node, facts: SourceFacts, add: Add): void {
  if (node.type !== 'slice') return
  const [from = '', to = '', step] = node.text.split(':').map((part) => part.trim())
  const rest = step === undefined ? '' : `:${step}`
  const put = (first: string, second: string) =>
    add('slice', node.startIndex, node.endIndex, `${first}:${second}${rest}`)
  put('', to)
  put(from, '')
  put(to, from)
  for (const other of ['1', '-1', '2']) {
    put(other, to)
    put(from, other)
    put('', other)
    put(other, '')
  }
  for (const name of facts.namesAt(node)) {
    put(name, to)
    put(from, name)
    if (from) put(from, `${from} + ${name}`)
  }
}

/** A caught exception of another kind. */
function editCaught(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type !== 'identifier' || node.parent?.type !== 'except_clause') return
  for (const name of [
    'Exception',
    'ValueError',
    'KeyError',
    'IndexError',
    'TypeError',
    'AttributeError',
    'LookupError',
    'ZeroDivisionError',
  ]) {
    if (name !== node.text) add('wrong_name', node.startIndex, node.endIndex, name)
  }
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
    add('converted', node.startIndex, node.endIndex, `${maker}(${only.text})`)
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
