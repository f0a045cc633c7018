import type { Node } from 'web-tree-sitter'

export type Binary = { left: Node; operator: Node; right: Node }

/** What the operators need to know of a language: how to read its nodes, and how to write what they put in. */
export interface Dialect {
  comparisonSwaps: Record<string, string[]>
  arithmeticSwaps: Record<string, string[]>
  booleanSwaps: Record<string, string[]>
  apiPairs: Record<string, string[]>
  /** Names that stand for the language's own things and are no variables. */
  reserved: ReadonlySet<string>

  comparison(node: Node): Binary | null
  arithmetic(node: Node): Binary | null
  boolean(node: Node): Binary | null
  /** The argument of a negation. */
  negated(node: Node): Node | null
  /** The operator of `a += b`. */
  augmentedOperator(node: Node): Node | null
  /** What an `if`, `while`, `?:` or comprehension looks at. */
  condition(node: Node): Node | null
  /** A call's arguments or the like, whose order may be wrong. */
  sequence(node: Node): Node[] | null
  callArguments(node: Node): Node[] | null
  isName(node: Node): boolean
  isAttributeName(node: Node): boolean
  /** Of a call: `f` in `f(x)`. */
  isCallee(node: Node): boolean
  /** A value that another may take the place of. */
  isExpression(node: Node): boolean
  /** A value that may be a number: worth an off-by-one. */
  isNumeric(node: Node): boolean
  isFunction(node: Node): boolean
  isLoop(node: Node): boolean
  /** What a `for … of` or `for … in` goes through. */
  iterated(node: Node): Node | null
  /** A plain `a = b`, or a declaration with a value. */
  assignment(node: Node): { name: Node; value: Node } | null
  functionName(node: Node): string | null
  parameters(node: Node): string[]
  isStatement(node: Node): boolean
  isSimpleStatement(node: Node): boolean
  /** Comments, imports, docstrings, types: nothing to change there. */
  isInert(node: Node): boolean
  /** `[true]`, `[false]` as written, if it is one. */
  truth(node: Node): boolean | null
  integer(node: Node): number | null
  text(node: Node): string | null

  writeTruth(value: boolean): string
  writeNot(text: string): string
  writeBoth(left: string, right: string): string
  writeEither(left: string, right: string): string
  writeAbsent(name: string): string[]
  /** That a value is there, or is not, whatever its truth: the commonest first. */
  writePresent(text: string): string[]
  writeMissing(text: string): string[]
  /** That it is of one of the common types. */
  writeTypes(text: string): string[]
  /** That nothing is in it, where its own value does not say so. */
  writeEmpty(name: string): string[]
  writeBounds(text: string, other: string): string[]
  writeSlices(text: string, name: string): string[]
  writeConversions(text: string): string[]
  writeCopies(text: string): string[]
  writeCase(text: string, isUpper: boolean): string
  writeDefaults(text: string): string[]
  writeGuards(condition: string): string[]
  writeAssignment(name: string, value: string): string
  writeSteps(name: string): string[]
  /** An `else` with one statement, to follow an `if` of this indentation. */
  writeElse(statement: string, indent: string): string
  writeListCopy(text: string): string
  /** How long it is, and its ends. */
  writeParts(text: string): string[]
  writeReturnIf(condition: string, value: string): string
  /** A statement of one line that only runs under a condition. */
  writeIf(condition: string, statement: string): string
  /** What a loop with nothing but a condition begins with. */
  whileWord: string
  /** What a function may return where there is nothing to do. */
  plainValues: string[]
  writeAppends(list: string, value: string): string[]
  writeClears(list: string): string[]
  /** More than any number, if the language has such a value. */
  writeEndless(): string | null
  /** Nothing, where a statement was. */
  emptyStatement: string
}

/** The names in a text, and what else is written like one. */
export const NAMES = /[A-Za-z_$][\w$]*/g

/** In which numbers are written. */
export const BASES = [16, 8, 2]

/** How the language asks whether two values are the same, types counted. */
export function signsOf({ comparisonSwaps }: Dialect): { equal: string; unequal: string } {
  return comparisonSwaps['==='] ? { equal: '===', unequal: '!==' } : { equal: '==', unequal: '!=' }
}

/** Of `a.b` and `a[b]`: `a`. */
export function partOwner(node: Node): Node | null {
  return node.childForFieldName('object') ?? node.childForFieldName('value') ?? node.childForFieldName('operand')
}

/** What a node says with another text in place of a part of it. */
export function withPart(whole: Node, part: Node, text: string): string {
  const [from, to] = [part.startIndex - whole.startIndex, part.endIndex - whole.startIndex]
  return whole.text.slice(0, from) + text + whole.text.slice(to)
}

/** Nodes of a name, and of a part of what has one. */
export const PATH = /^(identifier|attribute|member_expression|subscript|subscript_expression)$/

const PLAIN = /^[\w.$]+$|^[\w.$]+[([][^()[\]]*[\])]$/

/** In brackets, where the text may otherwise fall apart as part of a larger expression. */
export function bracketed(text: string): string {
  return PLAIN.test(text) ? text : `(${text})`
}

/** Two conditions as one. Where one of them is `idle`, as `true` is in an `and`, the other says it all. */
export function joined(left: string, sign: string, right: string, idle: string): string {
  if (left === idle) return right
  return right === idle ? left : `${bracketed(left)} ${sign} ${bracketed(right)}`
}

/** `a/b c/d/e`: each name of a group may take the place of the others. */
export function readPairs(text: string): Record<string, string[]> {
  const pairs: Record<string, string[]> = {}
  for (const group of text.split(' ')) {
    const names = group.split('/')
    for (const name of names)
      pairs[name] = [...new Set([...(pairs[name] ?? []), ...names])].filter((one) => one !== name)
  }
  return pairs
}
