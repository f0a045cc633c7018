import type { Node } from 'web-tree-sitter'
import { type Dialect, NAMES } from './dialect.ts'
import { boundBy, hiddenNames } from './bound-names.ts'
import { idleNames } from './idle-names.ts'
import { walk } from '#adapters/engines/syntax/open-parser.ts'

const EXPRESSION_MAX = 60
const NAMES_MAX = 40
const INGREDIENTS_MAX = 80
const NUMBERS_MAX = 4
const FOREIGN_WEIGHT = 0.6

/** What a file may lack and others have: literals of the failing tests, what their errors say, code of the rest of the repository. */
export type Ingredients = {
  /** `marks`: what texts have beside letters, digits and spaces, also those that are too long to put in. */
  literals: { numbers: string[]; texts: string[]; marks: string[] }
  donors: { expressions: string[]; conditions: string[]; statements: string[] }
  failures: Failures
}

/** What the errors of failing tests say: texts that differ, exceptions, and the words of their messages. */
export type Failures = { differences: Difference[]; exceptions: string[]; words: ReadonlySet<string> }

/** Of a text that a test asked for and the one that it found: between `before` and `after`, `from` in one is `to` in the other. */
export type Difference = { before: string; from: string; to: string; after: string }

export const noIngredients: Ingredients = {
  literals: { numbers: [], texts: [], marks: [] },
  donors: { expressions: [], conditions: [], statements: [] },
  failures: { differences: [], exceptions: [], words: new Set() },
}

/** How something is put into a list, after its name. */
const FILLS = ['.append(', '.add(', '.push(', '.unshift(', '.extend(', '.insert(', '.concat(', ' +=', ' = append(']

/** The names that expressions begin with. */
const VARIABLES = /(?:^|[^.\w$])([A-Za-z_$][\w$]*)/g

const EMPTY = /^(\[\]|set\(\)|new Set\(\))$/

/** A list or a set that nothing is put into, and what it is asked for: `a` in `if a in seen`. */
type Unfilled = { name: string; isSet: boolean; asked: string[] }

type Keyword = { callee: string; name: string; text: string }

type Ingredient = { text: string; weight: number }

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
  readonly texts: string[]
  readonly literals: Ingredients['literals']
  readonly donors: Ingredients['donors']
  readonly failures: Ingredients['failures']
  /** Methods of the object itself that some function of the file calls, as it calls them: `self.close`. */
  readonly ownMethods: string[]
  /** Plain values that variables get: `count = 0`. */
  readonly firstAssignments: { name: string; value: string }[]
  /** Arguments that calls of the file pass by name. */
  readonly keywords: Keyword[]
  readonly #texts: { name: string; text: string }[]
  readonly #conditions: string[]
  readonly #statements: string[]
  #hidden: ReadonlySet<string> | undefined
  readonly #names = new Map<number, string[]>()
  readonly #called = new Map<number, string[]>()
  readonly #taken = new Map<number, { name: Node; text: string }[]>()
  readonly #locals = new Map<number, ReadonlySet<string>>()
  readonly #idleNames = new Map<number, ReadonlySet<string>>()
  readonly #staleNames = new Map<number, string[]>()
  readonly #filled = new Map<number, string[]>()
  readonly #unfilled = new Map<number, Unfilled[]>()
  readonly #counts = new Map<number, ReadonlyMap<string, number>>()
  readonly #opposites = new Map<number, string[]>()
  readonly #numbers = new Map<number, number[]>()
  readonly #ingredients = new Map<number, Ingredient[]>()
  readonly #conditionsOf = new Map<number, Ingredient[]>()
  readonly #statementsOf = new Map<number, string[]>()

  constructor(source: string, root: Node, dialect: Dialect, ingredients: Ingredients = noIngredients) {
    this.source = source
    this.dialect = dialect
    this.root = root
    this.literals = ingredients.literals
    this.donors = ingredients.donors
    this.failures = ingredients.failures
    this.ownMethods = ownMethodsIn(source)
    this.nodes = collect(root, dialect)
    const attributes = this.nodes.filter((node) => dialect.isAttributeName(node))
    const isMethod = (node: Node) => node.parent !== null && dialect.isCallee(node.parent)
    this.attributes = unique(attributes.filter((node) => !isMethod(node)))
    this.methods = unique(attributes.filter(isMethod))
    this.#texts = this.nodes.flatMap((node) => {
      const name = dialect.isFunction(node) ? dialect.functionName(node) : null
      return name === null ? [] : { name, text: node.text }
    })
    this.functions = this.#texts.map(({ name }) => name)
    const short = this.nodes.filter(isShort)
    this.expressions = unique(short.filter((node) => isIngredient(node, dialect))).slice(0, INGREDIENTS_MAX)
    this.#conditions = unique(short.filter((node) => isCondition(node, dialect)))
    this.#statements = unique(short.filter((node) => dialect.isSimpleStatement(node)))
    this.keywords = keywordsOf(this.nodes)
    const assigned = this.nodes.flatMap((node) => dialect.assignment(node) ?? [])
    this.firstAssignments = assigned
      .filter(({ value }) => /^(\d+|\[\]|''|""|null|None|true|false|True|False)$/.test(value.text))
      .map(({ name, value }) => ({ name: name.text, value: value.text }))
    this.texts = unique(this.nodes.filter((node) => dialect.text(node) !== null)).slice(0, NAMES_MAX)
  }

  /** Functions of the file in which a text stands. */
  functionsWith(text: string): ReadonlySet<string> {
    return new Set(this.#texts.filter((one) => one.text.includes(text)).map(({ name }) => name))
  }

  /** The variables of the outermost function around a node, nearest in the text first. */
  namesAt(node: Node): string[] {
    return this.#ofFunction(this.#names, node, (around) => {
      const { dialect } = this
      const own = dialect.functionName(around)
      const used = walk(around).filter(
        (one) => dialect.isName(one) && !dialect.isCallee(one) && !dialect.reserved.has(one.text),
      )
      return unique(used)
        .filter((name) => name !== own)
        .slice(0, NAMES_MAX)
    })
  }

  /** Of these, the parameters and what gets a value there. */
  localsAt(node: Node): ReadonlySet<string> {
    return this.#ofFunction(this.#locals, node, (around) => {
      const { dialect } = this
      return new Set(walk(around).flatMap((one) => boundBy(one, dialect)))
    })
  }

  /** Of these, what it gets or makes for nothing. Outside of functions there are none: others may read what is there. */
  idleNamesAt(node: Node): ReadonlySet<string> {
    return this.#ofFunction(this.#idleNames, node, (around) =>
      around.id === this.root.id ? new Set<string>() : idleNames(around, this.dialect, this.localsAt(node)),
    )
  }

  /** Whether a text in place of another one leaves a variable of its function without any use. */
  leavesIdle(node: Node, before: string, text: string): boolean {
    if (before.length > EXPRESSION_MAX) return false
    const names = before.match(NAMES)?.filter((name) => !text.includes(name)) ?? []
    if (!names.length) return false
    const counts = this.#ofFunction(this.#counts, node, (around) => {
      const found = new Map<string, number>()
      for (const name of around.text.match(NAMES) ?? []) found.set(name, (found.get(name) ?? 0) + 1)
      return found
    })
    // It gets its value at one place, and is read at this one.
    return names.some((name) => counts.get(name) === 2 && this.localsAt(node).has(name))
  }

  /** The variables of the outermost function around a node that are given a value which is written so. */
  takenAt(node: Node, text: string): string[] {
    const taken = this.#ofFunction(this.#taken, node, (around) =>
      walk(around).flatMap((one) => {
        const { name, value } = this.dialect.assignment(one) ?? {}
        return name && value ? [{ name, text: value.text }] : []
      }),
    )
    const own = taken.filter((one) => one.text === text && one.name.endIndex < node.startIndex)
    return [...new Set(own.map(({ name }) => name.text))]
  }

  /** The functions that the outermost function around a node calls by a name of their own. */
  calledAt(node: Node): string[] {
    return this.#ofFunction(this.#called, node, (around) => {
      const { dialect } = this
      return unique(walk(around).filter((one) => dialect.isName(one) && dialect.isCallee(one))).slice(0, NAMES_MAX)
    })
  }

  /** Whole numbers from 3 on that stand in the outermost function around a node. */
  numbersAt(node: Node): number[] {
    return this.#ofFunction(this.#numbers, node, (around) => {
      const values = walk(around).map((one) => this.dialect.integer(one) ?? 0)
      return [...new Set(values)].filter((value) => value > 2).slice(0, NUMBERS_MAX)
    })
  }

  /** Expressions that may be meant at a place: those of its function, and with less weight the first ones of the file. */
  ingredientsAt(node: Node): Ingredient[] {
    return this.#ofFunction(this.#ingredients, node, (around) =>
      this.#nearFirst(around, this.expressions, (one) => isIngredient(one, this.dialect)),
    )
  }

  /** The same of conditions. */
  conditionsAt(node: Node): Ingredient[] {
    return this.#ofFunction(this.#conditionsOf, node, (around) =>
      this.#nearFirst(around, this.#conditions, (one) => isCondition(one, this.dialect)),
    )
  }

  /** The same of statements, which all count alike. */
  statementsAt(node: Node): string[] {
    return this.#ofFunction(this.#statementsOf, node, (around) =>
      this.#nearFirst(around, this.#statements, (one) => this.dialect.isSimpleStatement(one)).map(({ text }) => text),
    )
  }

  #nearFirst(around: Node, all: string[], isOne: (node: Node) => boolean): Ingredient[] {
    const near = unique(walk(around).filter((one) => isShort(one) && isOne(one))).slice(0, INGREDIENTS_MAX)
    this.#hidden ??= hiddenNames(this.nodes, this.dialect)
    const known = new Set(around.text.match(NAMES))
    const speaksOfOthers = (text: string) =>
      [...text.matchAll(VARIABLES)].some(([, name]) => this.#hidden!.has(name!) && !known.has(name!))
    const far = all.filter((text) => !near.includes(text) && !speaksOfOthers(text))
    return [
      ...near.map((text) => ({ text, weight: 1 })),
      ...far.slice(0, INGREDIENTS_MAX).map((text) => ({ text, weight: FOREIGN_WEIGHT })),
    ]
  }

  /** Variables of the function around a node that get a plain value once and never another. */
  staleNamesAt(node: Node): string[] {
    return this.#ofFunction(this.#staleNames, node, (around) => {
      const plain = new Set(this.firstAssignments.map(({ name }) => name))
      return assignedOnce(around, this.dialect).filter((name) => plain.has(name))
    })
  }

  /** Lists and sets of the function around a node that begin empty and that it never puts anything into. */
  unfilledAt(node: Node): Unfilled[] {
    return this.#ofFunction(this.#unfilled, node, (around) => {
      const nodes = walk(around)
      const fills = (name: string) => FILLS.some((rest) => around.text.includes(name + rest))
      const empty = nodes.flatMap((one) => {
        const { name, value } = this.dialect.assignment(one) ?? {}
        return name && value && EMPTY.test(value.text) && !fills(name.text)
          ? [{ name: name.text, isSet: value.text !== '[]' }]
          : []
      })
      return empty.map((one) => {
        const asked = nodes.flatMap((other) => soughtIn(one.name, other, this.dialect) ?? [])
        return { ...one, asked: [...new Set(asked)] }
      })
    })
  }

  /** Variables of the function around a node that it puts something into. */
  filledAt(node: Node): string[] {
    return this.#ofFunction(this.#filled, node, ({ text }) =>
      [...this.localsAt(node)].filter((name) => FILLS.some((rest) => text.includes(name + rest) && !/[=+]/.test(rest))),
    )
  }

  /** Whether something is put into a variable's value, or stored in a part of it. */
  isChangedAt(node: Node, name: string): boolean {
    if (this.filledAt(node).includes(name)) return true
    const { text } = this.outermostFunction(node)
    const parts = text.split(`${name}[`).slice(1)
    return parts.some((rest) => /^[^\]=\n]{1,60}\] ?[-+*/]?=[^=]/.test(rest))
  }

  /** Of the conditions of the function around a node, each the other way round. */
  oppositesAt(node: Node): string[] {
    return this.#ofFunction(this.#opposites, node, (around) => {
      const found = walk(around).flatMap((one) => (isShort(one) ? (oppositeOf(one, this.dialect) ?? []) : []))
      return [...new Set(found)].slice(0, NAMES_MAX)
    })
  }

  /** What is found out once of each outermost function. */
  #ofFunction<T>(kept: Map<number, T>, node: Node, find: (around: Node) => T): T {
    const around = this.outermostFunction(node)
    const known = kept.get(around.id)
    if (known !== undefined) return known
    const found = find(around)
    kept.set(around.id, found)
    return found
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

  outermostFunction(node: Node): Node {
    let found: Node = this.root
    for (let at: Node | null = node; at; at = at.parent) if (this.dialect.isFunction(at)) found = at
    return found
  }
}

/** Of `a in seen` and `seen.has(a)`: `a`. */
function soughtIn(name: string, node: Node, dialect: Dialect): string | null {
  const asked = dialect.comparison(node)
  if (asked) return asked.right.text === name && /^(not )?in$/.test(asked.operator.text) ? asked.left.text : null
  const [first] = dialect.callArguments(node) ?? []
  const callee = node.childForFieldName('function')?.text
  return first && (callee === `${name}.has` || callee === `${name}.includes`) ? first.text : null
}

const OPPOSITES = new Map([
  ['in', 'not in'],
  ['not in', 'in'],
  ['is', 'is not'],
  ['is not', 'is'],
  ['==', '!='],
  ['!=', '=='],
  ['===', '!=='],
  ['!==', '==='],
])

/** `a not in b` → `a in b`, `!f(a)` → `f(a)`. */
function oppositeOf(node: Node, dialect: Dialect): string | null {
  const inner = dialect.negated(node)
  if (inner) return inner.text
  const found = dialect.comparison(node)
  const other = found && OPPOSITES.get(found.operator.text)
  return found && other ? `${found.left.text} ${other} ${found.right.text}` : null
}

function ownMethodsIn(source: string): string[] {
  const calls = source.match(/\b(?:self|this)\.[A-Za-z_$][\w$]{0,80}\(/g) ?? []
  return [...new Set(calls.map((call) => call.slice(0, -1)))].slice(0, NAMES_MAX)
}

function keywordsOf(nodes: Node[]): Keyword[] {
  const found = new Map<string, Keyword>()
  for (const node of nodes) {
    if (node.type !== 'keyword_argument' || !isShort(node)) continue
    const callee = node.parent?.parent?.childForFieldName('function')?.text ?? ''
    const one = { callee, name: node.childForFieldName('name')!.text, text: node.text }
    found.set(JSON.stringify(one), one)
  }
  return [...found.values()]
}

function isCondition(node: Node, dialect: Dialect): boolean {
  return (dialect.comparison(node) ?? dialect.boolean(node) ?? dialect.negated(node)) !== null
}

function isShort({ text }: Node): boolean {
  return text.length < EXPRESSION_MAX && !text.includes('\n')
}

function isIngredient(node: Node, dialect: Dialect): boolean {
  return dialect.isExpression(node) && dialect.text(node) === null && node.type !== 'parenthesized_expression'
}

/** Those that may change, in the order of the text. */
function collect(root: Node, dialect: Dialect): Node[] {
  const nodes: Node[] = []
  const waiting = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (dialect.isInert(node)) continue
    nodes.push(node)
    for (const child of node.children.toReversed()) waiting.push(child)
  }
  return nodes
}

function unique(nodes: Node[]): string[] {
  return [...new Set(nodes.map((node) => node.text))]
}

/** Of `n += 2` or `n++`: `n`. */
export function steppedName(node: Node, dialect: Dialect): string | undefined {
  const isStep =
    dialect.augmentedOperator(node) !== null || /^(update_expression|inc_statement|dec_statement)$/.test(node.type)
  return isStep ? node.text.match(/\w+/)?.[0] : undefined
}

/** Names that are assigned once, and never stepped, in the tree below a node. */
function assignedOnce(around: Node, dialect: Dialect): string[] {
  const counts = new Map<string, number>()
  for (const node of walk(around)) {
    const assigned = dialect.assignment(node)?.name.text
    if (assigned) counts.set(assigned, (counts.get(assigned) ?? 0) + 1)
    const target = steppedName(node, dialect)
    if (target) counts.set(target, (counts.get(target) ?? 0) + 2)
  }
  return [...counts].filter(([, count]) => count === 1).map(([name]) => name)
}
