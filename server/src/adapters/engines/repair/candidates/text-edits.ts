import type { Node } from 'web-tree-sitter'
import { alikeAtEnd, alikeAtStart } from './alike.ts'
import { PATH } from './dialect.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { Difference, SourceFacts } from './source-facts.ts'

/** Operators on parts of texts, also of those with values in them, and on lists of texts. */
export const textEdits: Operator[] = [takeDifference, appendDifference, addElement, dropElement, addOtherCase]

/** What a text has between its quotes and values. */
export const TEXT_PART = /^(string_fragment|string_content|interpreted_string_literal_content)$/
/** So much around it is the same, and the place is sure. */
const SURE_CHARACTERS = 4
const UNSURE_WEIGHT = 0.4

/** `'Hello {}'` → `'Hello, {}'` where a failing test found `Hello Ada` and asked for `Hello, Ada`. */
function takeDifference(node: Node, { failures }: SourceFacts, add: Add): void {
  if (!TEXT_PART.test(node.type)) return
  for (const difference of failures.differences) {
    const { at, alike } = bestPlace(node.text, difference)
    if (!alike) continue
    const start = node.startIndex + at
    const weight = alike < SURE_CHARACTERS ? UNSURE_WEIGHT : 1
    add('text_difference', start, start + difference.from.length, difference.to, weight)
  }
}

const APPENDED = /^[^'"\\\n]{1,8}$/

/** `one` → `one + 's'` where a failing test found `2 cat` and asked for `2 cats`. */
function appendDifference(node: Node, { dialect, failures, texts }: SourceFacts, add: Add): void {
  if (!dialect.isNumeric(node) || dialect.integer(node) !== null || !PATH.test(node.type)) return
  // As the file writes them; not every language knows both.
  const quote = texts.some((text) => text.endsWith('"')) ? '"' : "'"
  for (const { from, to } of failures.differences) {
    if (from || !APPENDED.test(to)) continue
    const text = quote + to + quote
    add('text_difference', node.startIndex, node.endIndex, `(${node.text} + ${text})`, 0.6)
    add('text_difference', node.startIndex, node.endIndex, `(${text} + ${node.text})`, 0.5)
  }
}

/** Where most of what is around a difference stands around it in a text, too; `alike`: how many characters of it. */
function bestPlace(text: string, { before, from, after }: Difference): { at: number; alike: number } {
  let best = { at: 0, alike: 0 }
  for (let at = text.indexOf(from); at >= 0 && at <= text.length; at = text.indexOf(from, at + 1)) {
    const alike = alikeAtEnd(text.slice(0, at), before) + alikeAtStart(text.slice(at + from.length), after)
    if (alike > best.alike) best = { at, alike }
    if (at === text.length) break
  }
  return best
}

const LIST = /^(array|list|set|tuple)$/

/** The literals of a list of such. */
function elementsOf(node: Node, { dialect }: SourceFacts): Node[] {
  const elements = LIST.test(node.type) ? node.namedChildren : []
  return elements.every((one) => dialect.text(one) !== null || dialect.integer(one) !== null) ? elements : []
}

/** `['a', 'b']` → `['a', 'b', 'c']`, with what the failing tests speak of. */
function addElement(node: Node, facts: SourceFacts, add: Add): void {
  const elements = elementsOf(node, facts)
  const last = elements.at(-1)
  if (!last) return
  const { texts, numbers } = facts.literals
  const known = new Set(elements.map((one) => withoutQuotes(one.text)))
  for (const other of facts.dialect.text(last) === null ? numbers : texts)
    if (!known.has(withoutQuotes(other))) add('missing_element', last.endIndex, last.endIndex, `, ${other}`)
}

function withoutQuotes(text: string): string {
  return text.replace(/^['"`]|['"`]$/g, '')
}

function dropElement(node: Node, facts: SourceFacts, add: Add): void {
  const elements = elementsOf(node, facts)
  if (elements.length < 2) return
  for (const [at, one] of elements.entries()) {
    const [start, end] = at ? [elements[at - 1]!.endIndex, one.endIndex] : [one.startIndex, elements[1]!.startIndex]
    add('dropped_element', start, end, '')
  }
}

const LETTERS = /^([a-z]{3,26}|[A-Z]{3,26})$/

/** `'aeiou'` → `'aeiouAEIOU'`: a choice of letters, as none stands there twice. */
function addOtherCase({ type, text, endIndex }: Node, _facts: SourceFacts, add: Add): void {
  if (!TEXT_PART.test(type) || !LETTERS.test(text) || new Set(text).size < text.length) return
  const lower = text.toLowerCase()
  add('text', endIndex, endIndex, text === lower ? text.toUpperCase() : lower)
}
