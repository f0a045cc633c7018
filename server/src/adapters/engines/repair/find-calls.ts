import type { Node } from 'web-tree-sitter'
import { type Grammar, openParser, walk } from '#adapters/engines/syntax/open-parser.ts'
import { dialectOf } from './candidates/make-candidates.ts'

/** A call of a function with plain values: `argv` as it is written between the brackets. */
export type Call = { name: string; argv: string }

const CALLS_MAX = 160
const SEEN_MAX = 20
const ARGUMENTS_CHARACTERS = 400

const plain =
  /^(number|integer|float|string|string_\w+|true|false|none|null|undefined|list|array|tuple|dictionary|object|pair|unary_operator|unary_expression|argument_list|arguments|binary_operator|binary_expression|property_identifier|escape_sequence|parenthesized_expression)$/
const inText = /^(string|pair|string_\w+|escape_sequence|property_identifier)$/

/** The functions' calls in a test's source, and the same with their values changed a little: what the tests do not ask. */
export async function findCalls(grammar: Grammar, test: string, functions: ReadonlySet<string>): Promise<Call[]> {
  const parser = await openParser(grammar)
  const tree = parser.parse(test)
  if (!tree) return []
  const dialect = dialectOf(grammar)
  try {
    const seen = new Map<string, Call>()
    const changed = new Map<string, Call>()
    for (const node of walk(tree.rootNode)) {
      const values = dialect.callArguments(node)
      const callee = node.childForFieldName('function')
      const member = callee?.childForFieldName('attribute') ?? callee?.childForFieldName('property')
      const name = (member ?? callee)?.text ?? ''
      const list = node.childForFieldName('arguments')
      if (!values || !list || !functions.has(name) || !values.every(isPlain)) continue
      const argv = list.text.slice(1, -1)
      if (argv.length > ARGUMENTS_CHARACTERS || seen.size >= SEEN_MAX) continue
      seen.set(`${name} ${argv}`, { name, argv })
      for (const other of variantsOf(list)) changed.set(`${name} ${other}`, { name, argv: other })
    }
    // Of all calls alike, not all of the first one's.
    const others = [...changed.values()]
    const step = Math.max(1, others.length / (CALLS_MAX - seen.size))
    const picked = Array.from({ length: Math.floor(others.length / step) }, (_, at) => others[Math.floor(at * step)]!)
    return [...seen.values(), ...picked]
  } finally {
    tree.delete()
  }
}

function isPlain(value: Node): boolean {
  return walk(value).every((node) => !node.isNamed || plain.test(node.type))
}

function variantsOf(list: Node): string[] {
  const text = list.text
  const found: string[] = []
  const put = (node: Node, other: string) => {
    const [from, to] = [node.startIndex - list.startIndex, node.endIndex - list.startIndex]
    found.push((text.slice(0, from) + other + text.slice(to)).slice(1, -1))
  }
  for (const node of walk(list)) {
    const number = /^(number|integer)$/.test(node.type) && /^\d{1,9}$/.test(node.text) ? Number(node.text) : null
    if (number !== null)
      for (const other of [number + 1, number - 1, 0, number * 2 + 1, Math.floor(number / 2)]) put(node, String(other))
    const isValue = node.parent?.type === 'pair' && node.parent.childForFieldName('value')?.id === node.id
    if (node.type === 'string' && (isValue || !inText.test(node.parent?.type ?? ''))) {
      const quote = node.text.at(-1)!
      const inner = node.text.slice(node.text.indexOf(quote) + 1, -1)
      const reversed = /^[\w .,-]*$/.test(inner) ? [...inner].toReversed().join('') : inner
      for (const other of [
        inner + inner,
        reversed,
        inner.slice(1),
        inner.slice(0, -1),
        inner.toUpperCase(),
        `${inner} a`,
      ])
        if (!other.endsWith('\\')) put(node, quote + other + quote)
    }
    if (/^(list|array)$/.test(node.type)) {
      const items = node.namedChildren.map((child) => child.text)
      const lists = [[], items.slice(1), items.slice(0, -1), items.toReversed(), [...items, ...items], items.toSorted()]
      for (const other of lists) put(node, `[${other.join(', ')}]`)
    }
  }
  return found.filter((one) => one !== text.slice(1, -1))
}
