import type { Node } from 'web-tree-sitter'
import { type Binary, bracketed, type Dialect, joined, readPairs } from './dialect.ts'

const EXPRESSIONS = new Set(
  (
    'identifier int_literal float_literal true false nil call_expression selector_expression index_expression ' +
    'slice_expression binary_expression unary_expression parenthesized_expression composite_literal ' +
    'interpreted_string_literal rune_literal'
  ).split(' '),
)
const NUMERIC = new Set(
  'identifier call_expression selector_expression index_expression binary_expression parenthesized_expression'.split(
    ' ',
  ),
)
const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!='])
const BOOLEANS = new Set(['&&', '||'])

/** The compiler refuses much of what can be written in a language without types, so less of it is tried. */
export const goDialect: Dialect = {
  comparisonSwaps: {
    '<': ['<=', '>', '>=', '!='],
    '<=': ['<', '>=', '>', '=='],
    '>': ['>=', '<', '<=', '!='],
    '>=': ['>', '<=', '<', '=='],
    '==': ['!=', '<=', '>=', '<', '>'],
    '!=': ['==', '<', '>', '<=', '>='],
  },
  arithmeticSwaps: {
    '+': ['-', '*'],
    '-': ['+', '*', '/', '%'],
    '*': ['+', '/'],
    '/': ['*', '%', '-'],
    '%': ['/', '-'],
    '&': ['|', '^', '&^'],
    '|': ['&', '^'],
    '^': ['&', '|'],
    '&^': ['&', '|'],
    '<<': ['>>'],
    '>>': ['<<'],
  },
  booleanSwaps: { '&&': ['||'], '||': ['&&'] },
  apiPairs: readPairs(
    'len/cap HasPrefix/HasSuffix/Contains TrimLeft/TrimRight/Trim TrimPrefix/TrimSuffix ToLower/ToUpper/Title Index/LastIndex ' +
      'IndexByte/LastIndexByte IndexAny/LastIndexAny Split/SplitAfter/Fields SplitN/SplitAfterN Replace/ReplaceAll Floor/Ceil/Round/Trunc ' +
      'Max/Min Before/After Add/Sub Lock/RLock Unlock/RUnlock Slice/SliceStable Sort/Stable IsUpper/IsLower IsDigit/IsLetter/IsSpace ' +
      'PushBack/PushFront InsertBefore/InsertAfter Front/Back Next/Prev Day/YearDay Hour/Minute/Second Hours/Minutes/Seconds/Milliseconds ' +
      'Marshal/MarshalIndent Load/Store Left/Right Head/Tail First/Last Start/End Push/Pop Equal/EqualFold Print/Println Sin/Cos',
  ),
  reserved: new Set(
    (
      'append cap clear close complex copy delete imag iota len make max min new panic print println real recover nil ' +
      'bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 any _'
    ).split(' '),
  ),
  emptyStatement: '',
  whileWord: 'for',

  comparison: comparisonOf,
  arithmetic: (node) => binaryOf(node, (operator) => !COMPARISONS.has(operator) && !BOOLEANS.has(operator)),
  boolean: (node) => binaryOf(node, (operator) => BOOLEANS.has(operator)),
  negated: (node) =>
    node.type === 'unary_expression' && node.childForFieldName('operator')?.text === '!'
      ? node.childForFieldName('operand')
      : null,
  augmentedOperator(node) {
    const operator = node.type === 'assignment_statement' ? node.childForFieldName('operator') : null
    return operator && operator.text !== '=' ? operator : null
  },
  condition(node) {
    if (node.type !== 'for_statement') return node.childForFieldName('condition')
    const first = node.namedChild(0)
    return first && EXPRESSIONS.has(first.type) ? first : null
  },
  sequence: (node) => (['argument_list', 'expression_list', 'literal_value'].includes(node.type) ? named(node) : null),
  callArguments(node) {
    const list = node.type === 'call_expression' ? node.childForFieldName('arguments') : null
    return list ? named(list) : null
  },
  isName: (node) => node.type === 'identifier' && !isPackage(node),
  isAttributeName: (node) => node.type === 'field_identifier' && isFieldOf(node, 'selector_expression', 'field'),
  isCallee: (node) => isFieldOf(node, 'call_expression', 'function'),
  isExpression: (node) => node.isNamed && EXPRESSIONS.has(node.type) && isValue(node),
  isNumeric: (node) => node.isNamed && NUMERIC.has(node.type) && !comparisonOf(node) && isValue(node),
  isFunction: (node) => /^(function_declaration|method_declaration|func_literal)$/.test(node.type),
  isLoop: (node) => node.type === 'for_statement',
  iterated: (node) => (node.type === 'range_clause' ? node.childForFieldName('right') : null),
  assignment(node) {
    const isPlain = node.type === 'assignment_statement' && node.childForFieldName('operator')?.text === '='
    if (!isPlain && node.type !== 'short_var_declaration') return null
    const [name, value] = ['left', 'right'].map((field) => onlyOf(node.childForFieldName(field)))
    return name?.type === 'identifier' && value ? { name, value } : null
  },
  functionName: (node) => node.childForFieldName('name')?.text ?? null,
  parameters(node) {
    const list = node.childForFieldName('parameters')
    return (list ? named(list) : []).flatMap((one) => one.childrenForFieldName('name').map(({ text }) => text))
  },
  isStatement: (node) =>
    node.isNamed && node.parent?.type === 'statement_list' && !/^(comment|empty_statement)$/.test(node.type),
  isSimpleStatement: (node) =>
    node.parent?.type === 'statement_list' &&
    /^(expression|return|assignment|inc|dec|break|continue)_statement$/.test(node.type),
  isInert: (node) => /^(comment|import_declaration|package_clause|type_declaration|parameter_list)$/.test(node.type),
  truth: (node) => (!node.isNamed ? null : node.type === 'true' ? true : node.type === 'false' ? false : null),
  integer: (node) => (node.type === 'int_literal' && /^\d+$/.test(node.text) ? Number(node.text) : null),
  text: (node) => (node.type === 'interpreted_string_literal' ? node.text : null),

  writeTruth: String,
  writeNot: (text) => `!${bracketed(text)}`,
  writeBoth: (left, right) => joined(left, '&&', right, 'true'),
  writeEither: (left, right) => joined(left, '||', right, 'false'),
  writeAbsent: (name) => [`${name} == nil`, `${name} != nil`],
  writePresent: () => [],
  writeMissing: () => [],
  writeTypes: () => [],
  writeEmpty: (name) => [`len(${name}) == 0`],
  writeBounds: () => [],
  writeSlices: (text, name) => [`${text}[${name}:]`, `${text}[:${name}]`, `${text}[1:]`, `${text}[:len(${text})-1]`],
  writeConversions: (text) => ['int', 'int64', 'float64', 'string', 'len'].map((name) => `${name}(${text})`),
  writeCase: (text, isUpper) => `strings.${isUpper ? 'ToUpper' : 'ToLower'}(${text})`,
  writeCopies: (text) => [`append(${text}[:0:0], ${text}...)`],
  writeDefaults: () => [],
  writeGuards: (condition) =>
    ['return', 'return nil', 'return 0', 'return ""', 'return false', 'return true', 'continue', 'break'].map(
      (what) => `if ${condition} { ${what} }`,
    ),
  writeAssignment: (name, value) => `${name} = ${value}`,
  writeSteps: (name) => [`${name}++`, `${name}--`],
  writeElse: (statement, indent) => ` else {\n${indent}\t${statement}\n${indent}}`,
  writeListCopy: (text) => `append(${text}[:0:0], ${text}...)`,
  writeParts: (text) => [`len(${text})`, `${text}[0]`, `${text}[len(${text})-1]`],
  writeReturnIf: (condition, value) => `if ${condition} { return ${value} }`,
  writeIf: (condition, statement) => `if ${condition} { ${statement} }`,
  plainValues: ['nil', '0', '1', '-1', 'true', 'false', '""'],
  writeEndless: () => null,
  writeClears: (list) => [`clear(${list})`, `${list} = nil`],
  writeAppends: (list, value) => [`${list} = append(${list}, ${value})`],
}

function comparisonOf(node: Node): Binary | null {
  return binaryOf(node, (operator) => COMPARISONS.has(operator))
}

function binaryOf(node: Node, isAsked: (operator: string) => boolean): Binary | null {
  if (node.type !== 'binary_expression') return null
  const left = node.childForFieldName('left')
  const operator = node.childForFieldName('operator')
  const right = node.childForFieldName('right')
  return left && operator && right && isAsked(operator.type) ? { left, operator, right } : null
}

const TARGET = /^(short_var_declaration|assignment_statement|range_clause|receive_statement)$/

/** Not a target of an assignment, a definition's name, a field's name in a literal, or what is called. */
function isValue(node: Node): boolean {
  const { parent } = node
  if (!parent || /(parameter_declaration|label|_spec|inc_statement|dec_statement|_type)/.test(parent.type)) return false
  if (parent.type === 'literal_element' && isFieldOf(parent, 'keyed_element', 'key')) return node.type !== 'identifier'
  if (isFieldOf(node, 'call_expression', 'function') || isFieldOf(node, parent.type, 'name')) return false
  const holder = parent.type === 'expression_list' ? parent : node
  return !(TARGET.test(holder.parent?.type ?? '') && isFieldOf(holder, holder.parent!.type, 'left')) && !isPackage(node)
}

const imports = new WeakMap<object, Set<string>>()

/** Whether it is the `strings` of `strings.Trim`. */
function isPackage(node: Node): boolean {
  if (!isFieldOf(node, 'selector_expression', 'operand')) return false
  const known = imports.get(node.tree) ?? importedIn(node.tree.rootNode)
  imports.set(node.tree, known)
  return known.has(node.text)
}

function importedIn(root: Node): Set<string> {
  return new Set(
    root.descendantsOfType('import_spec').flatMap((spec) => {
      const path = spec?.childForFieldName('path')?.text.slice(1, -1) ?? ''
      return spec?.childForFieldName('name')?.text ?? path.slice(path.lastIndexOf('/') + 1)
    }),
  )
}

function onlyOf(list: Node | null): Node | null {
  return list?.namedChildCount === 1 ? list.namedChild(0) : null
}

function named(node: Node): Node[] {
  return node.namedChildren.filter((child) => child.type !== 'comment')
}

function isFieldOf(node: Node, type: string, field: string): boolean {
  return node.parent?.type === type && node.parent.childForFieldName(field)?.id === node.id
}
