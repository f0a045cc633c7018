import { parseSync } from 'vite'

type SyntaxNode = { type: string; [key: string]: unknown }

/** The classes that a style sheet has rules for. */
export function findStyled(css: string): Set<string> {
  const rules = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '')
  const heads = rules.match(/[^{};]+(?=\{)/g) ?? []
  return new Set(heads.flatMap((head) => [...head.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name!)))
}

export type NamedClasses = {
  /** Written as classes. */
  names: Set<string>
  /** May be classes too: the keys of what a class is looked up in, and a class that stands beside a word. */
  perhaps: Set<string>
  /** What composed names begin with, as `size-` of `size-${size}`. */
  starts: Set<string>
}

/** The classes that a source file names: in `className` and `look`, and in what these are made of in the same file. */
export function findNamed(file: string, code: string): NamedClasses {
  const { program, errors } = parseSync(file, code)
  if (errors.length) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const named: NamedClasses = { names: new Set(), perhaps: new Set(), starts: new Set() }
  const search = { named, meanings: findMeanings(program), followed: new Set<string>() }
  for (const node of nodesOf(program)) {
    if (node.type === 'JSXAttribute' && isClass(nameOf(node['name']))) follow(node['value'], search)
    if (node.type === 'Property' && isClass(nameOf(node['key']))) follow(node['value'], search)
    if (node.type === 'VariableDeclarator' && nameOf(node['id']) === 'classes') follow(node['init'], search)
    if (node.type === 'FunctionDeclaration' && nameOf(node['id']) === 'classOf') follow(node['id'], search)
  }
  return named
}

const isClass = (name: string) => /^(?:class|className|look)$/.test(name)

type Search = { named: NamedClasses; meanings: Map<string, Meaning[]>; followed: Set<string> }
/** What a name in a file may stand for; `isPart` where it is one of several values. */
type Meaning = { node: unknown; isPart?: boolean }

function follow(node: unknown, search: Search): void {
  if (Array.isArray(node)) for (const one of node) follow(one, search)
  if (!isNode(node)) return
  const { named } = search
  if (node.type === 'Literal' && typeof node['value'] === 'string') addWords(node['value'], named)
  if (node.type === 'TemplateLiteral')
    addWords((node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('$'), named)
  if (node.type === 'Property' && node['computed'] !== true) named.perhaps.add(nameOf(node['key']))
  if (node.type === 'Identifier') followName(nameOf(node), search)
  for (const part of valueParts[node.type] ?? []) follow(node[part], search)
}

/** The parts of an expression that its value is made of. */
const valueParts: Record<string, string[]> = {
  JSXExpressionContainer: ['expression'],
  TemplateLiteral: ['expressions'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  ArrayExpression: ['elements'],
  ObjectExpression: ['properties'],
  Property: ['value'],
  ChainExpression: ['expression'],
  MemberExpression: ['object'],
  CallExpression: ['callee'],
  ParenthesizedExpression: ['expression'],
  TSAsExpression: ['expression'],
  TSSatisfiesExpression: ['expression'],
  ArrowFunctionExpression: ['body'],
  BlockStatement: ['body'],
  IfStatement: ['consequent', 'alternate'],
  ReturnStatement: ['argument'],
  TSTypeAnnotation: ['typeAnnotation'],
  TSUnionType: ['types'],
  TSLiteralType: ['literal'],
}

function followName(name: string, search: Search): void {
  if (search.followed.has(name)) return
  search.followed.add(name)
  for (const { node, isPart } of search.meanings.get(name) ?? []) {
    const named: NamedClasses = { names: new Set(), perhaps: search.named.perhaps, starts: search.named.starts }
    follow(node, { ...search, named })
    for (const found of named.names) (isPart ? search.named.perhaps : search.named.names).add(found)
  }
}

function addWords(text: string, { names, starts }: NamedClasses): void {
  for (const word of text.split(/\s+/)) {
    if (!word.includes('$')) names.add(word)
    else if (word !== '$') starts.add(word.slice(0, word.indexOf('$')))
  }
  names.delete('')
}

function findMeanings(program: unknown): Map<string, Meaning[]> {
  const meanings = new Map<string, Meaning[]>()
  const add = (name: string, meaning: Meaning) => meanings.set(name, [...(meanings.get(name) ?? []), meaning])
  for (const node of nodesOf(program)) {
    if (node.type === 'FunctionDeclaration') add(nameOf(node['id']), { node: node['body'] })
    if (node.type === 'AssignmentPattern') add(nameOf(node['left']), { node: node['right'] })
    if (node.type === 'TSPropertySignature') add(nameOf(node['key']), { node: node['typeAnnotation'] })
    if (node.type !== 'VariableDeclarator') continue
    const { id, init } = node
    if (isNode(id) && id.type === 'ArrayPattern')
      for (const one of id['elements'] as unknown[]) add(nameOf(one), { node: init, isPart: true })
    else add(nameOf(id), { node: init })
  }
  return meanings
}

function* nodesOf(node: unknown): Generator<SyntaxNode> {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one)
  if (!isNode(node)) return
  yield node
  for (const part of Object.values(node)) yield* nodesOf(part)
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nameOf = (name: unknown): string => (isNode(name) && typeof name['name'] === 'string' ? name['name'] : '')
