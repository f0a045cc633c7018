import type { Node } from 'web-tree-sitter'
import { walk } from '#adapters/engines/syntax/open-parser.ts'
import { NAMES, withPart } from './dialect.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'
import { shapeOf } from './twins.ts'

/** Operators that do in one place what the code does in the place beside it. */
export const consistencyEdits: Operator[] = [treatAlike]

const LENGTH_MAX = 60

/** `(a[i] ?? 0) - b[i]` → `(a[i] ?? 0) - (b[i] ?? 0)`: of two values that stand side by side one is treated otherwise. */
function treatAlike(node: Node, facts: SourceFacts, add: Add): void {
  for (const [one, other] of couplesAt(node, facts)) {
    for (const [model, plain] of [
      [one, other],
      [other, one],
    ] as const) {
      if (model.text.length > LENGTH_MAX || plain.text.includes('\n') || model.text.includes('\n')) continue
      const copied = withNamesOf(model, plain, facts)
      if (copied !== null) add('unlike', plain.startIndex, plain.endIndex, copied, 0.9)
      for (const part of likeIn(model, plain)) {
        const weight = part.type === 'identifier' ? 0.6 : 1
        add('unlike', plain.startIndex, plain.endIndex, withPart(model, part, plain.text), weight)
      }
    }
  }
}

/** Both sides of a sign, neighbors in a call or a list, and what two statements in a row give to their variables. */
function couplesAt(node: Node, { dialect }: SourceFacts): [Node, Node][] {
  const both = dialect.arithmetic(node) ?? dialect.comparison(node) ?? dialect.boolean(node)
  if (both) return [[both.left, both.right]]
  const items = dialect.sequence(node)
  if (items) return items.slice(1).map((item, at) => [items[at]!, item])
  const next = node.nextNamedSibling
  const values = [node, next].map((one) => (one ? valueOf(one) : null))
  return values[0] && values[1] ? [[values[0], values[1]]] : []
}

/** Of `a = b`, as a statement or a declaration, or of an entry of an object: `b`. */
function valueOf(node: Node): Node | null {
  const inner = node.type === 'pair' || node.type === 'keyword_argument' ? node : node.namedChild(0)
  return inner?.childForFieldName('right') ?? inner?.childForFieldName('value') ?? null
}

/** What in a value is written as another one is, but for one name. */
function likeIn(model: Node, plain: Node): Node[] {
  const shape = shapeOf(plain.text)
  const names = plain.text.match(NAMES) ?? []
  if (!names.length) return []
  return walk(model).filter((part) => {
    if (part.id === model.id || part.type !== plain.type || shapeOf(part.text) !== shape) return false
    const others = part.text.match(NAMES) ?? []
    return others.filter((name, at) => name !== names[at]).length === 1
  })
}

/** `right = column % 3` beside `top = floor(row / 3)` → `floor(column / 3)`: as the other, with the one name that it alone has. */
function withNamesOf(model: Node, plain: Node, facts: SourceFacts): string | null {
  const locals = facts.localsAt(plain)
  const namesIn = (node: Node) => new Set(node.text.match(NAMES)?.filter((name) => locals.has(name)))
  const [theirs, own] = [namesIn(model), namesIn(plain)]
  const [from, ...othersFrom] = [...theirs].filter((name) => !own.has(name))
  const [to, ...othersTo] = [...own].filter((name) => !theirs.has(name))
  if (!from || !to || othersFrom.length || othersTo.length) return null
  return model.text.replace(NAMES, (name) => (name === from ? to : name))
}
