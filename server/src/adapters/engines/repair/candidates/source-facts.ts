import type { Node } from 'web-tree-sitter'
import type { Dialect } from './dialect.ts'
import { walk } from './syntax.ts'

const EXPRESSION_MAX = 60
const NAMES_MAX = 40
const INGREDIENTS_MAX = 80

/** What a file offers: the nodes that may change, and names and expressions to change them to. */
export class SourceFacts {
  readonly source: string
  readonly dialect: Dialect
  readonly nodes: Node[]
  readonly root: Node
  readonly attributes: string[]
  readonly methods: string[]
  readonly functions: string[]
  readonly expressions: string[]
  readonly conditions: string[]
  readonly simpleStatements: string[]
  readonly texts: string[]
  readonly #names = new Map<number, string[]>()

  constructor(source: string, root: Node, dialect: Dialect) {
    this.source = source
    this.dialect = dialect
    this.root = root
    this.nodes = collect(root, dialect)
    const attributes = this.nodes.filter((node) => dialect.isAttributeName(node))
    const isMethod = (node: Node) => node.parent !== null && dialect.isCallee(node.parent)
    this.attributes = unique(attributes.filter((node) => !isMethod(node)))
    this.methods = unique(attributes.filter(isMethod))
    this.functions = this.nodes.flatMap((node) => (dialect.isFunction(node) ? (dialect.functionName(node) ?? []) : []))
    const short = this.nodes.filter((node) => node.text.length < EXPRESSION_MAX && !node.text.includes('\n'))
    const expressions = short.filter((node) => dialect.isExpression(node) && dialect.text(node) === null)
    this.expressions = unique(expressions).slice(0, INGREDIENTS_MAX)
    const conditions = short.filter(
      (node) => dialect.comparison(node) || dialect.boolean(node) || dialect.negated(node),
    )
    this.conditions = unique(conditions).slice(0, INGREDIENTS_MAX)
    const statements = short.filter((node) => dialect.isSimpleStatement(node))
    this.simpleStatements = unique(statements).slice(0, INGREDIENTS_MAX)
    this.texts = unique(this.nodes.filter((node) => dialect.text(node) !== null)).slice(0, NAMES_MAX)
  }

  /** The variables of the outermost function around a node, nearest in the text first. */
  namesAt(node: Node): string[] {
    const around = this.#outermostFunction(node)
    const known = this.#names.get(around.id)
    if (known) return known
    const own = this.dialect.functionName(around)
    const { isName, isCallee, reserved } = this.dialect
    const used = walk(around).filter((one) => isName(one) && !isCallee(one) && !reserved.has(one.text))
    const names = unique(used)
      .filter((name) => name !== own)
      .slice(0, NAMES_MAX)
    this.#names.set(around.id, names)
    return names
  }

  parametersAt(node: Node): string[] {
    const names: string[] = []
    for (let at: Node | null = node; at; at = at.parent) {
      if (this.dialect.isFunction(at)) names.push(...this.dialect.parameters(at))
    }
    return names
  }

  indentOf(node: Node): string {
    const lineStart = this.source.lastIndexOf('\n', node.startIndex - 1) + 1
    return /^[ \t]*/.exec(this.source.slice(lineStart))?.[0] ?? ''
  }

  #outermostFunction(node: Node): Node {
    let found: Node = this.root
    for (let at: Node | null = node; at; at = at.parent) if (this.dialect.isFunction(at)) found = at
    return found
  }
}

function collect(node: Node, dialect: Dialect): Node[] {
  if (dialect.isInert(node)) return []
  return [node, ...node.children.flatMap((child) => collect(child, dialect))]
}

function unique(nodes: Node[]): string[] {
  return [...new Set(nodes.map((node) => node.text))]
}
