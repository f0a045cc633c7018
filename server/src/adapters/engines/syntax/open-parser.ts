import { createRequire } from 'node:module'
import { Language, type Node, Parser } from 'web-tree-sitter'

export type Grammar = 'javascript' | 'typescript' | 'tsx' | 'python' | 'go'

const GRAMMAR_FILES: Record<Grammar, string> = {
  javascript: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  typescript: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  go: 'tree-sitter-go/tree-sitter-go.wasm',
}

const parsers = new Map<Grammar, Promise<Parser>>()

export function grammarOf(path: string): Grammar {
  if (path.endsWith('.py')) return 'python'
  if (path.endsWith('.go')) return 'go'
  if (/\.[cm]?ts$/.test(path)) return 'typescript'
  return path.endsWith('.tsx') ? 'tsx' : 'javascript'
}

/** A parser of this grammar. Loaded once in a process: the grammars are several megabytes of WebAssembly. */
export function openParser(grammar: Grammar): Promise<Parser> {
  const open = parsers.get(grammar) ?? loadParser(grammar)
  parsers.set(grammar, open)
  return open
}

async function loadParser(grammar: Grammar): Promise<Parser> {
  await Parser.init()
  const language = await Language.load(createRequire(import.meta.url).resolve(GRAMMAR_FILES[grammar]))
  return new Parser().setLanguage(language)
}

export function hasSyntaxError(parser: Parser, source: string): boolean {
  const tree = parser.parse(source)
  try {
    return tree === null || tree.rootNode.hasError
  } finally {
    tree?.delete()
  }
}

/** Where the first fault lies, counted from 1; null for a source without one. */
export function firstSyntaxErrorLine(parser: Parser, source: string): number | null {
  const tree = parser.parse(source)
  try {
    const faulty = tree && walk(tree.rootNode).find((node) => node.isError || node.isMissing)
    return faulty ? faulty.startPosition.row + 1 : null
  } finally {
    tree?.delete()
  }
}

/** The node and everything in it, named or not, in the order of the text. Not by calling itself: code may be nested deep. */
export function walk(node: Node): Node[] {
  const nodes: Node[] = []
  const waiting = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    nodes.push(next)
    for (const child of next.children.toReversed()) waiting.push(child)
  }
  return nodes
}
