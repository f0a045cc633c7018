import { parseSync } from 'vite'

type SyntaxNode = { type: string; [key: string]: unknown }

/** What a person may read of a source file of the web UI, in its order; `{…}` stands for what is put in when it runs. */
export function findStrings(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code)
  if (errors.length) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const found: string[] = []
  visit(program, (text) => {
    const shown = text.replaceAll(/\s+/g, ' ').trim()
    if (shown) found.push(shown)
  })
  return found
}

type Add = (text: string) => void

/** Attributes whose texts a program reads, not a person. */
const silentAttributes =
  /^(?:className|class|style|href|to|src|id|key|type|name|role|rel|target|d|viewBox|method|htmlFor|autoComplete|inputMode|pattern|kind|look|data-.*)$/

function visit(node: unknown, add: Add): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, add)
    return
  }
  if (!isNode(node)) return
  const { type } = node
  if (type === 'JSXText') {
    if (/\p{L}/u.test(String(node['value']))) add(String(node['value']))
    return
  }
  if (type === 'JSXAttribute' && silentAttributes.test(nameOf(node['name']))) return
  if (isSilent(node)) return
  const text = textOf(node)
  if (text !== undefined && isForPeople(text)) add(text)
  for (const [key, inner] of Object.entries(node)) {
    if (key === 'key' || (key === 'property' && node['computed'] !== true)) continue
    visit(inner, add)
  }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function nameOf(name: unknown): string {
  if (!isNode(name)) return ''
  return name.type === 'JSXNamespacedName'
    ? `${nameOf(name['namespace'])}:${nameOf(name['name'])}`
    : String(name['name'])
}

/** Imports, types, comparisons and cases name things; nobody reads them. */
function isSilent({ type, operator }: SyntaxNode): boolean {
  if (/^(?:Import|ExportAll|TS(?:Type|Interface|Literal|Union|Enum))/.test(type)) return true
  return type === 'BinaryExpression' && ['===', '!==', 'in'].includes(String(operator))
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node['quasis'] as { value: { cooked: string } }[]
  return quasis.map(({ value }) => value.cooked).join('{…}')
}

/** Words, not the names of classes, keys, routes or fields. */
function isForPeople(text: string): boolean {
  const words = text.split('{…}').join(' ').trim()
  if (!/\p{L}{2}/u.test(words) || /^[\w.#/?&=:-]*\//.test(words)) return false
  if (/^\p{Lu}\p{Ll}+$/u.test(words)) return !keys.has(words)
  if (!/\S\s+\S/.test(words)) return false
  return /[\p{Lu}.,;:?!’“…·]/u.test(words) || !/[-[\]]|(?:^|\s)(?:flex|grid|muted|mono|truncate|sr)(?:\s|$)/.test(words)
}

/** Of keyboards and requests. */
const keys = new Set([
  'Enter',
  'Escape',
  'Tab',
  'Shift',
  'Control',
  'Meta',
  'Alt',
  'Home',
  'End',
  'Backspace',
  'Delete',
  'Accept',
  'Authorization',
])
