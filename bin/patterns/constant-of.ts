/** What is looked at of a node of the syntax tree (ESTree). */
export type SyntaxNode = {
  type: string
  start: number
  end: number
  kind?: string
  name?: string
  value?: unknown
  regex?: { pattern: string; flags: string }
  operator?: string
  left?: SyntaxNode
  right?: SyntaxNode
  callee?: SyntaxNode
  arguments?: SyntaxNode[]
  object?: SyntaxNode
  property?: SyntaxNode
  key?: SyntaxNode
  tag?: SyntaxNode
  quasi?: SyntaxNode
  quasis?: { value: { raw: string; cooked: string } }[]
  expressions?: SyntaxNode[]
  elements?: SyntaxNode[]
  expression?: SyntaxNode
  declarations?: { id?: SyntaxNode; init?: SyntaxNode }[]
}
export type Constant = string | number | Constant[]

/** What an expression is whenever it runs: texts put together of texts and of constants of the same file; else undefined. */
export function constantOf(node: SyntaxNode, names: ReadonlyMap<string, SyntaxNode>): Constant | undefined {
  const read = (one: SyntaxNode | undefined) => one && constantOf(one, names)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined
    case 'Identifier': {
      const value = names.get(node.name ?? '')
      // Not itself again.
      return value && constantOf(value, new Map([...names].filter(([name]) => name !== node.name)))
    }
    case 'TSAsExpression':
      return read(node.expression)
    case 'ArrayExpression':
      return wholeOf((node.elements ?? []).map(read))
    case 'TemplateLiteral':
      return textOf(node, read, 'cooked')
    case 'TaggedTemplateExpression':
      return isMember(node.tag, 'raw') && node.tag?.object?.name === 'String'
        ? textOf(node.quasi!, read, 'raw')
        : undefined
    case 'BinaryExpression': {
      const [left, right] = [read(node.left), read(node.right)]
      return node.operator === '+' && typeof left === 'string' && typeof right === 'string' ? left + right : undefined
    }
    case 'CallExpression': {
      const [list, between] = [read(node.callee?.object), read(node.arguments?.[0])]
      const isJoin = isMember(node.callee, 'join') && Array.isArray(list) && typeof between === 'string'
      return isJoin ? list.join(between) : undefined
    }
    case 'MemberExpression': {
      const value = node.object?.type === 'Identifier' ? names.get(node.object.name ?? '') : undefined
      return isMember(node, 'source') ? value?.regex?.pattern : undefined
    }
    default:
      return undefined
  }
}

const isMember = (node: SyntaxNode | undefined, name: string) =>
  node?.type === 'MemberExpression' && node.property?.name === name

function wholeOf(parts: (Constant | undefined)[]): Constant[] | undefined {
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? known : undefined
}

type Read = (node: SyntaxNode | undefined) => Constant | undefined

function textOf({ quasis = [], expressions = [] }: SyntaxNode, read: Read, form: 'raw' | 'cooked'): string | undefined {
  const values = wholeOf(expressions.map(read))
  if (!values || values.some((value) => typeof value === 'object')) return undefined
  return quasis.map(({ value }, at) => value[form] + String(values[at] ?? '')).join('')
}
