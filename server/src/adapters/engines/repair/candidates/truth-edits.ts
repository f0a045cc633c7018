import type { Node } from 'web-tree-sitter'
import { PATH, signsOf } from './dialect.ts'
import { isAsked } from './is-asked.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Operators on values that are only asked whether they are true. */
export const truthEdits: Operator[] = [askForPresence]

/** `if x` → `if x is not None`: what is empty or 0 is there all the same. */
function askForPresence(node: Node, { dialect }: SourceFacts, add: Add): void {
  const inner = dialect.negated(node)
  if (node.parent && dialect.negated(node.parent)) return
  const asked = inner ?? node
  if (!PATH.test(asked.type) || asked.text.includes('\n') || !isAsked(node, dialect)) return
  const others = inner ? dialect.writeMissing(asked.text) : dialect.writePresent(asked.text)
  for (const [at, other] of others.entries()) add('presence', node.startIndex, node.endIndex, other, at ? 0.8 : 1)
  // Of those of JavaScript the one that covers both `null` and `undefined`.
  const absent = others[1] ?? others[0]
  const { equal, unequal } = signsOf(dialect)
  // An empty text is nothing, too; 0 is something.
  if (absent && dialect.plainValues.includes("''")) {
    const both = inner
      ? dialect.writeEither(absent, `${asked.text} ${equal} ''`)
      : dialect.writeBoth(absent, `${asked.text} ${unequal} ''`)
    add('presence', node.startIndex, node.endIndex, `(${both})`, 0.8)
  }
}
