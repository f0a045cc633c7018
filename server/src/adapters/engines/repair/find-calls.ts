import type { Node } from 'web-tree-sitter'
import { type Grammar, openParser, walk } from '#adapters/engines/syntax/open-parser.ts'
import { type Edit, joinEdits } from './candidates/join-edits.ts'
import { applyCandidate, dialectOf } from './candidates/make-candidates.ts'

/** A call of a function with plain values: `argv` as it is written between the brackets. */
export type Call = { name: string; argv: string }

const CALLS_MAX = 320
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

/** With one value changed, with all that are the same changed alike, as ids are that belong together, and with two changed. */
function variantsOf(list: Node): string[] {
  const edits: Edit[] = []
  const alike = new Map<string, Edit[]>()
  for (const node of walk(list)) {
    const [start, end] = [node.startIndex - list.startIndex, node.endIndex - list.startIndex]
    const others = othersOf(node)
    for (const [at, text] of others.entries()) {
      const edit = { start, end, text }
      edits.push(edit)
      const key = `${at} ${node.text}`
      alike.set(key, [...(alike.get(key) ?? []), edit])
    }
  }
  const together = [...alike.values()].filter(({ length }) => length > 1)
  // Any other one will do, but not one of the same value.
  const pairs = edits.map((edit, at) => [edit, edits[(at * PAIR_STEP + 3) % edits.length]!])
  const { text } = list
  const found = [...edits.map((edit) => [edit]), ...together, ...pairs.filter(areApart)]
  return found.map((some) => withEdits(text, some).slice(1, -1)).filter((one) => one !== text.slice(1, -1))
}

const PAIR_STEP = 7

function areApart([one, other]: Edit[]): boolean {
  return one!.end <= other!.start || other!.end <= one!.start
}

function withEdits(text: string, edits: Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start)
  return applyCandidate(text, joinEdits(text, inOrder))
}

/** Values that are near a value. */
function othersOf(node: Node): string[] {
  if (/^(number|integer)$/.test(node.type) && /^\d{1,9}$/.test(node.text)) {
    const number = Number(node.text)
    return [number + 1, number - 1, 0, number * 2 + 1, Math.floor(number / 2)].map(String)
  }
  const isValue = node.parent?.type === 'pair' && node.parent.childForFieldName('value')?.id === node.id
  if (node.type === 'string' && (isValue || !inText.test(node.parent?.type ?? ''))) return textsNear(node.text)
  if (/^(list|array)$/.test(node.type)) {
    const items = node.namedChildren.map((child) => child.text)
    const lists = [[], items.slice(1), items.slice(0, -1), items.toReversed(), [...items, ...items], items.toSorted()]
    return lists.map((other) => `[${other.join(', ')}]`)
  }
  return /^(dictionary|object)$/.test(node.type) ? objectsNear(node) : []
}

const WORDS_MAX = 4

function textsNear(text: string): string[] {
  const quote = text.at(-1)!
  const inner = text.slice(text.indexOf(quote) + 1, -1)
  const reversed = /^[\w .,-]*$/.test(inner) ? [...inner].toReversed().join('') : inner
  const words = inner.split(' ')
  const fewer = words.length > 1 ? words.slice(0, WORDS_MAX).map((_, at) => words.toSpliced(at, 1).join(' ')) : []
  return [inner + inner, reversed, inner.slice(1), inner.slice(0, -1), inner.toUpperCase(), `${inner} a`, ...fewer]
    .filter((other) => !other.endsWith('\\'))
    .map((other) => quote + other + quote)
}

const PAIRS_MAX = 4

/** Without one of its parts, with another one, and with what the object beside it has more. */
function objectsNear(node: Node): string[] {
  const pairs = node.namedChildren.map(({ text }) => text)
  const keys = new Set(keysOf(node))
  const beside = node.previousNamedSibling ?? node.nextNamedSibling
  const more = beside?.type === node.type ? beside.namedChildren.filter((_, at) => !keys.has(keysOf(beside)[at]!)) : []
  const extra = node.type === 'dictionary' ? "'extra': 7" : 'extra: 7'
  const fewer = pairs.slice(0, PAIRS_MAX).map((_, at) => pairs.toSpliced(at, 1))
  const lists = [...fewer, [...pairs, extra], ...(more.length ? [[...pairs, ...more.map(({ text }) => text)]] : [])]
  return lists.map((other) => `{ ${other.join(', ')} }`)
}

function keysOf(node: Node): string[] {
  return node.namedChildren.map((pair) => pair.childForFieldName('key')?.text ?? pair.text)
}
