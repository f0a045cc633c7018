import type { Node } from 'web-tree-sitter'
import { type Binary, bracketed, type Dialect, joined, readPairs } from './dialect.ts'

const EXPRESSIONS = new Set(
  (
    'identifier number true false null undefined call_expression member_expression subscript_expression this ' +
    'binary_expression unary_expression update_expression parenthesized_expression array object ternary_expression ' +
    'string template_string new_expression await_expression arrow_function regex shorthand_property_identifier'
  ).split(' '),
)
const NUMERIC = new Set(
  'identifier call_expression member_expression subscript_expression binary_expression parenthesized_expression'.split(
    ' ',
  ),
)
const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '===', '!=', '!==', 'in', 'instanceof'])
const BOOLEANS = new Set(['&&', '||', '??'])
const FUNCTIONS = new Set([
  'function_declaration',
  'function_expression',
  'generator_function_declaration',
  'arrow_function',
  'method_definition',
])

export const javascriptDialect: Dialect = {
  comparisonSwaps: {
    '<': ['<=', '>', '>=', '!=='],
    '<=': ['<', '>=', '>', '==='],
    '>': ['>=', '<', '<=', '!=='],
    '>=': ['>', '<=', '<', '==='],
    '==': ['===', '!=', '<=', '>='],
    '!=': ['!==', '==', '<', '>'],
    '===': ['!==', '==', '<=', '>=', '<', '>'],
    '!==': ['===', '!=', '<', '>', '<=', '>='],
  },
  arithmeticSwaps: {
    '+': ['-', '*'],
    '-': ['+', '*', '/', '%'],
    '*': ['+', '/', '**'],
    '/': ['*', '%', '-'],
    '%': ['/', '-'],
    '**': ['*'],
    '&': ['|', '^'],
    '|': ['&', '^'],
    '^': ['&', '|'],
    '<<': ['>>', '>>>'],
    '>>': ['<<', '>>>'],
    '>>>': ['>>', '<<'],
  },
  booleanSwaps: { '&&': ['||', '??'], '||': ['??', '&&'], '??': ['||', '&&'] },
  apiPairs: readPairs(
    'min/max floor/ceil/round/trunc some/every push/unshift/concat shift/pop slice/substring/substr slice/splice ' +
      'indexOf/lastIndexOf/findIndex/search keys/values/entries filter/find/findLast map/flatMap/forEach/filter ' +
      'startsWith/endsWith/includes trim/trimStart/trimEnd padStart/padEnd toLowerCase/toUpperCase has/get set/add ' +
      'add/delete all/allSettled/race/any replace/replaceAll parseInt/parseFloat/Number getFullYear/getUTCFullYear ' +
      'getMonth/getUTCMonth getDate/getUTCDate/getDay getDay/getUTCDay getHours/getUTCHours getMinutes/getUTCMinutes ' +
      'setDate/setUTCDate setMonth/setUTCMonth setHours/setUTCHours reduce/reduceRight charAt/charCodeAt/codePointAt ' +
      'first/last encodeURI/encodeURIComponent decodeURI/decodeURIComponent call/apply on/once resolve/reject sort/toSorted ' +
      'reverse/toReversed sin/cos abs/sign test/match match/matchAll flat/concat size/length finally/then setTimeout/setInterval ' +
      'clearTimeout/clearInterval isNaN/isFinite/isInteger assign/create increment/decrement next/previous left/right start/end',
  ),
  reserved: new Set(
    (
      'undefined console Math Object Array String Number Boolean Date JSON Promise Map Set WeakMap RegExp Error TypeError ' +
      'RangeError Symbol BigInt parseInt parseFloat isNaN isFinite require module exports process Buffer globalThis Intl ' +
      'setTimeout setInterval clearTimeout clearInterval structuredClone arguments URL NaN Infinity'
    ).split(' '),
  ),
  emptyStatement: '',
  whileWord: 'while',

  comparison: comparisonOf,
  arithmetic: (node) => binaryOf(node, (operator) => !COMPARISONS.has(operator) && !BOOLEANS.has(operator)),
  boolean: (node) => binaryOf(node, (operator) => BOOLEANS.has(operator)),
  negated: (node) =>
    node.type === 'unary_expression' && node.childForFieldName('operator')?.text === '!'
      ? node.childForFieldName('argument')
      : null,
  augmentedOperator: (node) =>
    node.type === 'augmented_assignment_expression' ? node.childForFieldName('operator') : null,
  condition(node) {
    const found = node.childForFieldName('condition')
    if (!found || found.type === 'empty_statement') return null
    if (found.type === 'expression_statement') return found.namedChild(0)
    return found.type === 'parenthesized_expression' ? found.namedChild(0) : found
  },
  sequence: (node) =>
    ['arguments', 'array', 'array_pattern', 'formal_parameters'].includes(node.type) || spreads(node)
      ? named(node)
      : null,
  callArguments(node) {
    const list = node.type === 'call_expression' ? node.childForFieldName('arguments') : null
    return list?.type === 'arguments' ? named(list) : null
  },
  isName: (node) => node.type === 'identifier' || node.type === 'shorthand_property_identifier',
  isAttributeName: (node) => node.type === 'property_identifier' && isFieldOf(node, 'member_expression', 'property'),
  isCallee: (node) =>
    isFieldOf(node, 'call_expression', 'function') || isFieldOf(node, 'new_expression', 'constructor'),
  isExpression: (node) => node.isNamed && EXPRESSIONS.has(node.type) && isValue(node),
  isNumeric: (node) => node.isNamed && NUMERIC.has(node.type) && !comparisonOf(node) && isValue(node),
  isFunction: (node) => FUNCTIONS.has(node.type),
  isLoop: (node) => /^(for|for_in|while|do)_statement$/.test(node.type),
  iterated: (node) =>
    node.type === 'for_in_statement' && node.childForFieldName('operator')?.type !== 'in'
      ? node.childForFieldName('right')
      : null,
  assignment(node) {
    if (node.type !== 'assignment_expression' && node.type !== 'variable_declarator') return null
    const name = node.childForFieldName('left') ?? node.childForFieldName('name')
    const value = node.childForFieldName('right') ?? node.childForFieldName('value')
    return name?.type === 'identifier' && value ? { name, value } : null
  },
  functionName: (node) =>
    node.childForFieldName('name')?.text ?? (node.parent?.type === 'variable_declarator' ? nameOf(node.parent) : null),
  parameters(node) {
    const single = node.childForFieldName('parameter')
    if (single) return [single.text]
    const list = node.childForFieldName('parameters')
    const names = list ? named(list).map((one) => /^\w+/.exec(one.text)?.[0] ?? '') : []
    return names.filter(Boolean)
  },
  isStatement: (node) =>
    node.isNamed &&
    (node.parent?.type === 'statement_block' || node.parent?.type === 'program') &&
    /_(statement|declaration)$/.test(node.type) &&
    !/^(import|export|interface|type_alias)/.test(node.type),
  isSimpleStatement: (node) =>
    node.parent?.type === 'statement_block' &&
    ['expression_statement', 'return_statement', 'break_statement', 'continue_statement', 'throw_statement'].includes(
      node.type,
    ),
  isInert: (node) =>
    [
      'comment',
      'import_statement',
      'type_annotation',
      'interface_declaration',
      'type_alias_declaration',
      'type_arguments',
    ].includes(node.type) ||
    (node.type === 'expression_statement' && node.namedChild(0)?.type === 'string'),
  truth: (node) => (!node.isNamed ? null : node.type === 'true' ? true : node.type === 'false' ? false : null),
  integer: (node) => (node.type === 'number' && /^\d+$/.test(node.text) ? Number(node.text) : null),
  text: (node) => (node.type === 'string' ? node.text : null),

  writeTruth: String,
  writeNot: (text) => `!${bracketed(text)}`,
  writeBoth: (left, right) => joined(left, '&&', right, 'true'),
  writeEither: (left, right) => joined(left, '||', right, 'false'),
  writeAbsent: (name) => [`${name} == null`, `${name} != null`],
  writePresent: (text) => [
    `${text} !== undefined`,
    `${text} != null`,
    `${text} !== null`,
    `typeof ${text} === 'string'`,
  ],
  writeMissing: (text) => [
    `${text} === undefined`,
    `${text} == null`,
    `${text} === null`,
    `typeof ${text} !== 'string'`,
  ],
  writeTypes: (text) =>
    ['string', 'function', 'object', 'number', 'boolean']
      .map((name) => `typeof ${text} === '${name}'`)
      .concat(`Array.isArray(${text})`),
  writeEmpty: (name) => [`${name}.length === 0`, `Object.keys(${name}).length === 0`],
  writeBounds: (text, other) => [`Math.max(${text}, ${other})`, `Math.min(${text}, ${other})`],
  writeSlices: (text, name) => [
    `${text}.slice(${name})`,
    `${text}.slice(0, ${name})`,
    `${text}.slice(1)`,
    `${text}.slice(0, -1)`,
  ],
  writeConversions: (text) =>
    ['String', 'Number', 'Math.abs', 'Math.floor', 'Math.round', 'Math.ceil', 'parseInt']
      .map((name) => `${name}(${text})`)
      .concat(
        [`[${text}]`, `[...new Set(${text})]`],
        [
          'trim()',
          'toLowerCase()',
          'toUpperCase()',
          'length',
          'toString()',
          'map(Number)',
          'filter(Boolean)',
          'slice()',
          'slice(1)',
          'slice(0, -1)',
          'reverse()',
          'sort()',
          'flat()',
          "join('')",
          "split('')",
          "padStart(2, '0')",
        ].map((name) => `${bracketed(text)}.${name}`),
      ),
  writeCase: (text, isUpper) => `${bracketed(text)}.${isUpper ? 'toUpperCase' : 'toLowerCase'}()`,
  writeCopies: (text) => [`[...${text}]`, `({ ...${text} })`, `structuredClone(${text})`],
  writeDefaults: (text) => ['0', '[]', "''", '{}'].map((value) => `(${text} ?? ${value})`),
  writeGuards: (condition) =>
    [
      'return',
      'return null',
      'return 0',
      'return []',
      "return ''",
      'return false',
      'return true',
      'continue',
      'break',
    ].map((what) => `if (${condition}) ${what}`),
  writeAssignment: (name, value) => `${name} = ${value}`,
  writeSteps: (name) => [`${name}++`, `${name}--`],
  writeElse: (statement, indent) => `\n${indent}else { ${statement} }`,
  writeListCopy: (text) => `[...${bracketed(text)}]`,
  writeParts: (text) => [`${text}.length`, `${text}[0]`, `${text}.at(-1)`],
  writeReturnIf: (condition, value) => `if (${condition}) return ${value}`,
  writeIf: (condition, statement) => `if (${condition}) ${statement}`,
  plainValues: ['null', '0', '1', '-1', 'true', 'false', '[]', "''", 'undefined'],
  writeEndless: () => 'Infinity',
  writeClears: (list) => [`${list}.length = 0`, `${list}.clear()`],
  writeAppends: (list, value) => [`${list}.push(${value})`, `${list}.add(${value})`],
}

function comparisonOf(node: Node): Binary | null {
  return binaryOf(node, (operator) => COMPARISONS.has(operator))
}

function binaryOf(node: Node, isWanted: (operator: string) => boolean): Binary | null {
  if (node.type !== 'binary_expression') return null
  const left = node.childForFieldName('left')
  const operator = node.childForFieldName('operator')
  const right = node.childForFieldName('right')
  return left && operator && right && isWanted(operator.type) ? { left, operator, right } : null
}

/** Not a target of an assignment, a definition's name, or what is called. */
function isValue(node: Node): boolean {
  const { parent } = node
  if (!parent || /pattern|parameter|import|export|label|class|type/.test(parent.type)) return false
  const { type } = parent
  if (isFieldOf(node, type, 'name') || isFieldOf(node, type, 'parameter') || type === 'update_expression') return false
  if (isFieldOf(node, 'call_expression', 'function') || isFieldOf(node, 'new_expression', 'constructor')) return false
  return !(/assignment|for_in_statement/.test(type) && isFieldOf(node, type, 'left'))
}

/** Of an object in which later entries stand above those before. */
function spreads(node: Node): boolean {
  return node.type === 'object' && node.namedChildren.some(({ type }) => type === 'spread_element')
}

function nameOf(node: Node): string | null {
  return node.childForFieldName('name')?.text ?? null
}

function named(node: Node): Node[] {
  return node.namedChildren.filter((child) => child.type !== 'comment')
}

function isFieldOf(node: Node, type: string, field: string): boolean {
  return node.parent?.type === type && node.parent.childForFieldName(field)?.id === node.id
}
