import type { Node } from 'web-tree-sitter'
import { type Binary, bracketed, type Dialect, joined, readPairs } from './dialect.ts'

const EXPRESSIONS = new Set(
  (
    'identifier integer float true false none call attribute subscript binary_operator comparison_operator ' +
    'boolean_operator not_operator unary_operator parenthesized_expression list list_comprehension tuple dictionary ' +
    'dictionary_comprehension conditional_expression set set_comprehension generator_expression string'
  ).split(' '),
)
const NUMERIC = new Set(['identifier', 'call', 'attribute', 'subscript', 'binary_operator', 'parenthesized_expression'])
const CONDITIONAL = new Set(['if_statement', 'while_statement', 'elif_clause', 'assert_statement'])

export const pythonDialect: Dialect = {
  comparisonSwaps: {
    '<': ['<=', '>', '>=', '!=', '=='],
    '<=': ['<', '>=', '>', '=='],
    '>': ['>=', '<', '<=', '!=', '=='],
    '>=': ['>', '<=', '<', '=='],
    '==': ['!=', '<=', '>=', '<', '>'],
    '!=': ['==', '<', '>', '<=', '>='],
    in: ['not in'],
    'not in': ['in'],
    is: ['is not', '=='],
    'is not': ['is', '!='],
  },
  arithmeticSwaps: {
    '+': ['-', '*'],
    '-': ['+', '*', '//', '%'],
    '*': ['+', '/', '//', '**'],
    '/': ['//', '*'],
    '//': ['/', '*', '%', '-'],
    '%': ['//', '-'],
    '**': ['*'],
    '&': ['|', '^'],
    '|': ['&', '^'],
    '^': ['&', '|'],
    '<<': ['>>'],
    '>>': ['<<'],
  },
  booleanSwaps: { and: ['or'], or: ['and'] },
  apiPairs: readPairs(
    'min/max any/all append/extend/add/appendleft pop/popleft keys/values/items floor/ceil/round add/discard/remove ' +
      'union/intersection/difference/symmetric_difference issubset/issuperset startswith/endswith find/rfind/index ' +
      'lower/upper/swapcase/title/capitalize/casefold strip/lstrip/rstrip split/rsplit/splitlines partition/rpartition removeprefix/removesuffix ' +
      'int/float/round/str list/tuple/set sum/max/len get/pop/setdefault isdigit/isalpha/isalnum bisect_left/bisect_right ' +
      'insort_left/insort_right heappush/heappop update/add sorted/list reversed/list ljust/rjust islower/isupper ' +
      'deepcopy/copy most_common/elements days/seconds combinations/permutations/product nlargest/nsmallest',
  ),
  reserved: new Set(
    (
      'abs all any bool bytes dict enumerate filter float frozenset getattr hasattr int isinstance iter len list map max ' +
      'min next object open ord chr pow print range repr reversed round set sorted str sum super tuple type zip self cls ' +
      'Exception ValueError TypeError KeyError IndexError RuntimeError NotImplementedError staticmethod classmethod property'
    ).split(' '),
  ),
  emptyStatement: 'pass',
  whileWord: 'while',

  comparison(node) {
    if (node.type !== 'comparison_operator') return null
    const [left, right] = [node.namedChild(0), node.namedChild(1)]
    const operator = node.children.find((child) => !child.isNamed)
    return left && right && operator ? { left, operator, right } : null
  },
  arithmetic: (node) => (node.type === 'binary_operator' ? binaryOf(node) : null),
  boolean: (node) => (node.type === 'boolean_operator' ? binaryOf(node) : null),
  negated: (node) => (node.type === 'not_operator' ? node.childForFieldName('argument') : null),
  augmentedOperator: (node) => (node.type === 'augmented_assignment' ? node.childForFieldName('operator') : null),
  condition(node) {
    if (CONDITIONAL.has(node.type)) return node.childForFieldName('condition')
    if (node.type === 'if_clause') return node.namedChild(0)
    return node.type === 'conditional_expression' ? node.namedChild(1) : null
  },
  sequence(node) {
    if (node.type === 'subscript') return node.childrenForFieldName('subscript')
    // In a dictionary that takes others in, later entries stand above those before.
    const spreads = node.type === 'dictionary' && node.namedChildren.some(({ type }) => type === 'dictionary_splat')
    return spreads || ['argument_list', 'tuple', 'expression_list'].includes(node.type) ? named(node) : null
  },
  callArguments(node) {
    const list = node.type === 'call' ? node.childForFieldName('arguments') : null
    return list?.type === 'argument_list' ? named(list) : null
  },
  isName: (node) =>
    node.type === 'identifier' &&
    !isFieldOf(node, 'attribute', 'attribute') &&
    !isFieldOf(node, 'keyword_argument', 'name'),
  isAttributeName: (node) => isFieldOf(node, 'attribute', 'attribute'),
  isCallee: (node) => isFieldOf(node, 'call', 'function'),
  isExpression: (node) => node.isNamed && EXPRESSIONS.has(node.type) && isValue(node),
  isNumeric: (node) => node.isNamed && NUMERIC.has(node.type) && isValue(node),
  isFunction: (node) => node.type === 'function_definition',
  isLoop: (node) => node.type === 'for_statement' || node.type === 'while_statement',
  iterated: (node) => (node.type === 'for_statement' ? node.childForFieldName('right') : null),
  assignment(node) {
    if (node.type !== 'assignment') return null
    const [name, value] = [node.childForFieldName('left'), node.childForFieldName('right')]
    return name?.type === 'identifier' && value ? { name, value } : null
  },
  functionName: (node) => node.childForFieldName('name')?.text ?? null,
  parameters(node) {
    const list = node.childForFieldName('parameters')
    const names = list
      ? named(list).map((one) => (one.type === 'identifier' ? one.text : (one.namedChild(0)?.text ?? '')))
      : []
    return names.filter((name) => /^\w+$/.test(name) && name !== 'self' && name !== 'cls')
  },
  isStatement: (node) => node.isNamed && node.parent?.type === 'block' && /_(statement|definition)$/.test(node.type),
  isSimpleStatement: (node) =>
    node.parent?.type === 'block' &&
    ['expression_statement', 'return_statement', 'break_statement', 'continue_statement', 'raise_statement'].includes(
      node.type,
    ),
  isInert: (node) =>
    ['comment', 'import_statement', 'import_from_statement', 'decorator', 'type'].includes(node.type) ||
    (node.type === 'expression_statement' && node.namedChildCount === 1 && node.namedChild(0)?.type === 'string'),
  truth: (node) => (node.type === 'true' ? true : node.type === 'false' ? false : null),
  integer: (node) => (node.type === 'integer' && /^\d+$/.test(node.text) ? Number(node.text) : null),
  text: (node) => (node.type === 'string' ? node.text : null),

  writeTruth: (value) => (value ? 'True' : 'False'),
  writeNot: (text) => `not ${bracketed(text)}`,
  writeBoth: (left, right) => joined(left, 'and', right, 'True'),
  writeEither: (left, right) => joined(left, 'or', right, 'False'),
  writeAbsent: (name) => [`${name} is None`, `${name} is not None`],
  writePresent: (text) => [`${text} is not None`],
  writeMissing: (text) => [`${text} is None`],
  writeTypes: (text) =>
    ['str', 'list', 'dict', 'tuple', 'int', '(list, tuple)', 'bytes', 'type']
      .map((name) => `isinstance(${text}, ${name})`)
      .concat(`callable(${text})`),
  writeEmpty: () => [],
  writeBounds: (text, other) => [`max(${text}, ${other})`, `min(${text}, ${other})`],
  writeSlices: (text, name) => [
    `${text}[${name}:]`,
    `${text}[:${name}]`,
    `${text}[1:]`,
    `${text}[:-1]`,
    `${text}[::-1]`,
  ],
  writeConversions: (text) =>
    ['str', 'int', 'float', 'len', 'abs', 'sorted', 'set', 'list', 'bool', 'tuple', 'round', 'dict']
      .map((name) => `${name}(${text})`)
      .concat(
        'strip() lower() upper() swapcase() capitalize() title() split() copy() items()'
          .split(' ')
          .map((name) => `${bracketed(text)}.${name}`),
      )
      .concat(
        `[${text}]`,
        `${bracketed(text)}[::-1]`,
        `${bracketed(text)}[1:]`,
        `${bracketed(text)}[:-1]`,
        `list(reversed(${text}))`,
        `sorted(${text}, key=len)`,
        `sum(${text})`,
        `max(${text})`,
        `min(${text})`,
      ),
  writeCase: (text, isUpper) => `${bracketed(text)}.${isUpper ? 'upper' : 'lower'}()`,
  writeCopies: (text) => [`list(${text})`, `dict(${text})`, `set(${text})`],
  writeDefaults(text) {
    const subscript = /^([\w.]+)\[([^[\]:]+)\]$/.exec(text)
    const got = subscript
      ? ['', ', 0', ', []', ", ''", ', {}'].map((value) => `${subscript[1]}.get(${subscript[2]}${value})`)
      : []
    return [...got, `(${text} or 0)`, `(${text} or [])`, `(${text} or '')`, `(${text} or {})`]
  },
  writeGuards: (condition) =>
    [
      'return',
      'return 0',
      'return []',
      "return ''",
      'return False',
      'return True',
      'return {}',
      'continue',
      'break',
    ].map((what) => `if ${condition}: ${what}`),
  writeAssignment: (name, value) => `${name} = ${value}`,
  writeSteps: (name) => [`${name} += 1`, `${name} -= 1`],
  writeElse: (statement, indent) => `\n${indent}else:\n${indent}    ${statement}`,
  writeListCopy: (text) => `list(${text})`,
  writeParts: (text) => [`len(${text})`, `${text}[0]`, `${text}[-1]`],
  writeReturnIf: (condition, value) => `if ${condition}: return ${value}`,
  writeIf: (condition, statement) => `if ${condition}: ${statement}`,
  plainValues: ['None', '0', '1', '-1', 'True', 'False', '[]', "''"],
  writeEndless: () => "float('inf')",
  writeClears: (list) => [`${list}.clear()`],
  writeAppends: (list, value) => [`${list}.append(${value})`, `${list}.add(${value})`],
}

/** Not a target of an assignment, a definition's name or a part of a larger name. */
function isValue(node: Node): boolean {
  const { parent } = node
  if (
    !parent ||
    /^(parameters|lambda_parameters|typed_parameter|global_statement|pattern_list|as_pattern_target)$/.test(parent.type)
  )
    return false
  const { type } = parent
  if (type === 'keyword_argument' || /(default_parameter|_definition)$/.test(type)) {
    return !isFieldOf(node, type, 'name')
  }
  if (isFieldOf(node, 'attribute', 'attribute') || isFieldOf(node, 'call', 'function')) return false
  return !(
    /^(assignment|augmented_assignment|for_statement|for_in_clause)$/.test(type) && isFieldOf(node, type, 'left')
  )
}

function binaryOf(node: Node): Binary | null {
  const left = node.childForFieldName('left')
  const operator = node.childForFieldName('operator')
  const right = node.childForFieldName('right')
  return left && operator && right ? { left, operator, right } : null
}

function named(node: Node): Node[] {
  return node.namedChildren.filter((child) => child.type !== 'comment')
}

function isFieldOf(node: Node, type: string, field: string): boolean {
  return node.parent?.type === type && node.parent.childForFieldName(field)?.id === node.id
}
