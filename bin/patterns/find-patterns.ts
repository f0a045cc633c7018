import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { constantOf, type Constant, type SyntaxNode } from './constant-of.ts'

export type FoundPattern = { source: string; flags: string; places: string[] }
/** What is built when the program runs, so that nobody can say what it will be. */
export type UnknownPattern = { place: string; text: string }
export type Found = { patterns: FoundPattern[]; unknown: UnknownPattern[] }

/** What is part of the product: tests and what runs in a sandbox alone read nobody else's text. */
const sources = ['server/src/**/*.{ts,mjs}', 'cli/{bin,src}/**/*.{ts,mjs}', 'sdk/src/**/*.ts', 'web/src/**/*.{ts,tsx}']

/** Every regular expression of the product: literals, those built of constants, and those in schemas. */
export function findPatterns(root: string): Found {
  const files = globSync(sources, { cwd: root }).filter((file) => !/\.(?:test|slow)\.tsx?$/.test(file))
  const all = files.sort().map((file) => findIn(file, readFileSync(path.join(root, file), 'utf8')))
  const byText = Map.groupBy(
    all.flatMap(({ patterns }) => patterns),
    ({ source, flags }) => `/${source}/${flags}`,
  )
  const patterns = [...byText.values()].map((same) => ({ ...same[0]!, places: same.flatMap(({ places }) => places) }))
  return { patterns, unknown: all.flatMap(({ unknown }) => unknown) }
}

/** Those of one file. */
export function findIn(file: string, code: string): Found {
  const { program, errors } = parseSync(file, code)
  if (errors.length) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const root = program as unknown as SyntaxNode
  const names = constantsOf(root)
  const found: Found = { patterns: [], unknown: [] }
  const placeOf = (node: SyntaxNode) => `${file}:${code.slice(0, node.start).split('\n').length}`
  walk(root, (node) => {
    const built = readPattern(node, names)
    if (built === 'unknown') found.unknown.push({ place: placeOf(node), text: code.slice(node.start, node.end) })
    else if (built) found.patterns.push({ ...built, places: [placeOf(node)] })
  })
  return found
}

type Names = ReadonlyMap<string, SyntaxNode>

function readPattern(node: SyntaxNode, names: Names): { source: string; flags: string } | 'unknown' | undefined {
  if (node.type === 'Literal' && node.regex) return { source: node.regex.pattern, flags: node.regex.flags }
  const { callee, arguments: options = [], key } = node
  const value = node.value as SyntaxNode | undefined
  if (callee?.type === 'Identifier' && callee.name === 'RegExp') {
    const source = options[0] && constantOf(options[0], names)
    const flags = options[1] ? constantOf(options[1], names) : ''
    return typeof source === 'string' && typeof flags === 'string' ? { source, flags } : 'unknown'
  }
  // These make a regular expression of a text.
  if (callee?.type === 'MemberExpression' && ['match', 'matchAll', 'search'].includes(callee.property?.name ?? ''))
    return options[0] && isText(constantOf(options[0], names)) ? 'unknown' : undefined
  // In a schema, whose validator does.
  if (node.type === 'Property' && key?.name === 'pattern' && value?.type !== 'Literal') return undefined
  if (node.type === 'Property' && key?.name === 'pattern' && typeof value?.value === 'string')
    return { source: value.value, flags: 'u' }
  return undefined
}

const isText = (constant: Constant | undefined) => typeof constant === 'string'

/** The constants of a file, by name. */
function constantsOf(program: SyntaxNode): Names {
  const names = new Map<string, SyntaxNode>()
  walk(program, (node) => {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return
    for (const { id, init } of node.declarations ?? []) if (id?.name && init) names.set(id.name, init)
  })
  return names
}

function walk(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  else if (typeof node === 'object' && node !== null && !(node instanceof RegExp)) {
    if ('type' in node) visit(node as SyntaxNode)
    for (const inner of Object.values(node)) walk(inner, visit)
  }
}
