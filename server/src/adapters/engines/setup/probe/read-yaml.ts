import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'
import { isDenseYaml } from '#base/text/is-dense-yaml.ts'
import { probeLimits } from './findings.ts'

const aliasesMax = 100
const itemsMax = 500

/** A place in a document of YAML. What it is not, it answers as nothing; aliases are followed one at a time. */
export type YamlPlace = {
  /** Counts from 1. */
  line: number
  text: string | null
  /** A multi-line text begins in the line after its key. */
  isBlock: boolean
  items: YamlPlace[]
  entries: [string, YamlPlace][]
  get(...keys: string[]): YamlPlace | undefined
}

/** Reads foreign YAML; undefined for what is none. Nothing in it is expanded, so a small file stays small. */
export function readYaml(text: string): YamlPlace | undefined {
  if (text.length > probeLimits.yamlBytesMax || isDenseYaml(text)) return undefined
  const lineCounter = new LineCounter()
  try {
    // Comparing each key with all others, and showing each error in its line, takes too long where somebody wants it to.
    const document = parseDocument(text, { lineCounter, logLevel: 'silent', prettyErrors: false, uniqueKeys: false })
    if (document.errors.length || !document.contents || hasManyAliases(document)) return undefined
    return place(document.contents, { document, lineCounter, depth: 0 })
  } catch {
    // What is nested too deep ends in a full stack.
    return undefined
  }
}

/** Following one means looking for its anchor through the whole document. */
function hasManyAliases(document: Document): boolean {
  let count = 0
  visit(document, { Alias: () => (++count > aliasesMax ? visit.BREAK : undefined) })
  return count > aliasesMax
}

type Around = { document: Document; lineCounter: LineCounter; depth: number }

function place(options: unknown, around: Around): YamlPlace {
  const node = isAlias(options) ? options.resolve(around.document) : options
  const inner = { ...around, depth: around.depth + 1 }
  const isTooDeep = around.depth >= probeLimits.yamlDepthMax
  const offset = (options as Node | null)?.range?.[0] ?? 0
  const found: YamlPlace = {
    line: around.lineCounter.linePos(offset).line,
    text: isScalar(node) ? textOf(node.value) : null,
    isBlock: isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'),
    get items() {
      return isSeq(node) && !isTooDeep ? node.items.slice(0, itemsMax).map((item) => place(item, inner)) : []
    },
    get entries() {
      if (!isMap(node) || isTooDeep) return []
      return node.items
        .slice(0, itemsMax)
        .map((pair): [string, YamlPlace] => [keyOf(pair.key), place(pair.value, inner)])
    },
    get(...keys) {
      return keys.reduce<YamlPlace | undefined>((at, key) => at?.entries.find(([name]) => name === key)?.[1], found)
    },
  }
  return found
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null

const keyOf = (key: unknown) => (isScalar(key) ? (textOf(key.value) ?? '') : '')
