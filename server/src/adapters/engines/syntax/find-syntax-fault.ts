import { stripTypeScriptTypes } from 'node:module'
import { LineCounter, parseAllDocuments } from 'yaml'
import type { Node } from 'web-tree-sitter'
import { isDenseYaml } from '#base/text/is-dense-yaml.ts'
import { grammarOf, openParser } from './open-parser.ts'

/** Where a file stops being what its name says; lines and columns from 1, columns in UTF-16 units. */
export type SyntaxFault = {
  line: number
  column: number
  /** Where what could not be read ends, if not in the same line. */
  endLine?: number
  reason?: string
}

const REASON_CHARACTERS_MAX = 200

/** The first fault of a file; null for one that can be read, and for one that we know too little about. */
export async function findSyntaxFault(path: string, source: string): Promise<SyntaxFault | null> {
  if (path.endsWith('.json')) return findJsonFault(source)
  if (/\.ya?ml$/.test(path)) return findYamlFault(source)
  return findCodeFault(path, source)
}

async function findCodeFault(path: string, source: string): Promise<SyntaxFault | null> {
  const grammar = grammarOf(path)
  // Types of Flow are in no grammar of ours.
  if (grammar === 'javascript' && /@flow\b/.test(source.slice(0, 2_000))) return null
  const tree = (await openParser(grammar)).parse(source)
  try {
    if (!tree?.rootNode.hasError) return null
    const place = placeOf(firstFault(tree.rootNode))
    if (grammar === 'typescript') return findTypeScriptFault(source)
    // What Node reads knows the place better, but no tags.
    const isPlain = grammar === 'javascript' && !/<\/|\/>/.test(source)
    return (isPlain && findTypeScriptFault(source)) || place
  } finally {
    tree?.delete()
  }
}

/** The first leaf of the faulty ones: what holds it says less of the place. */
function firstFault(root: Node): Node {
  let node = root
  for (;;) {
    if (node.isError || node.isMissing) return node
    const next = node.children.find((child) => child.isError || child.isMissing || child.hasError)
    if (!next) return node
    node = next
  }
}

function placeOf({ startPosition, endPosition }: Node): SyntaxFault {
  const [line, endLine] = [startPosition.row + 1, endPosition.row + 1]
  return { line, column: startPosition.column + 1, ...(endLine > line && { endLine }) }
}

/**
 * What the parser in Node says. The grammar of tree-sitter is older than some of TypeScript's own, so a fault counts only
 * if both see one.
 */
function findTypeScriptFault(source: string): SyntaxFault | null {
  try {
    stripTypeScriptTypes(source, { mode: 'transform' })
    return null
  } catch (error) {
    const { code, stack = '', message } = error as Error & { code?: string }
    const line = Number(/^[^\n]*:(\d+)\n/.exec(stack)?.[1])
    const carets = stack.split('\n').find((text) => /^ *\^+ *$/.test(text))
    if (code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' || !line || !carets) return null
    return { line, column: carets.indexOf('^') + 1, reason: inOneLine(message) }
  }
}

function findJsonFault(source: string): SyntaxFault | null {
  const text = source.replace(/^\ufeff/, '')
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const { message } = error as Error
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
    const reason = inOneLine(message.replace(/ in JSON at position .*$/s, ''))
    if (line && column) return { line: Number(line), column: Number(column), reason }
    return { ...findJsonPlace(message, text), reason }
  }
}

/** Where V8 names no place it shows the text around it, with ten characters before. */
function findJsonPlace(message: string, text: string): { line: number; column: number } {
  const isToken = message.startsWith("Unexpected token '")
  const [token = ''] = message.slice("Unexpected token '".length)
  const shown = message.slice(message.indexOf("', ") + "', ".length, message.lastIndexOf(' is not valid JSON'))
  const isCut = shown.startsWith('...')
  const around = isToken ? shown.replace(/^(\.\.\.)?"/, '').replace(/"(\.\.\.)?$/, '') : ''
  const found = text.indexOf(around) + (isCut ? 10 : around.indexOf(token))
  const before = text.slice(0, around === '' ? text.length : Math.max(0, found)).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

function findYamlFault(source: string): SyntaxFault | null {
  // Templates are YAML only once they are filled in.
  if (/\{\{|\{%|<%/.test(source) || isDenseYaml(source)) return null
  const lineCounter = new LineCounter()
  const documents = parseAllDocuments(source, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  const error = 'empty' in documents ? undefined : documents.flatMap((document) => document.errors)[0]
  if (!error) return null
  const { line, col } = lineCounter.linePos(error.pos[0])
  return { line, column: col, reason: inOneLine(error.message) }
}

const inOneLine = (text: string) => (text.split('\n')[0] ?? '').slice(0, REASON_CHARACTERS_MAX)
