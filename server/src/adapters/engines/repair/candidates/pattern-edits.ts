import type { Node } from 'web-tree-sitter'
import { signsOf } from './dialect.ts'
import { looksLikePattern } from './looks-like-pattern.ts'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'
import { TEXT_PART } from './text-edits.ts'

/** Operators on regular expressions: those of JavaScript, and texts that look like one. */
export const patternEdits: Operator[] = [editPattern, endPattern]

const SIGNS = ['+', '*', '?', '*?', '+?', '']
/** A class of characters or an escaped one that stands once. */
const SINGLE = /\[[^\]]{1,80}\](?![+*?{])|\\[wWdDsS](?![+*?{\]\w])/g
const CLASS = /\[[^\]]{1,80}\]/g
/** Plain texts to choose from, such as operators. */
const CHOICES = /(?:[^\s()[\]|\\.*+?^$]{1,20}\|){1,20}[^\s()[\]|\\.*+?^$]{1,20}/g
/** Whatever stands there, but for the end of a line. */
const ANY = /\.(?=[*+])/g
/** `:?(\d+)?`: a mark that may be there, and a group that may be. */
const BOTH_OR_NONE = /([^\\()*+?[\]|])\?(\([^()]{1,80}\))\?/g
const MARKS_MAX = 8
const LISTED_MARKS = 5

function editPattern(node: Node, { dialect, literals }: SourceFacts, add: Add): void {
  const isText = TEXT_PART.test(node.type) && looksLikePattern(node.text)
  if (node.type !== 'regex_pattern' && !isText) return
  const { text, startIndex: start } = node
  const put = (at: number, length: number, by: string, weight = 1) =>
    add('regular_expression', start + at, start + at + length, by, weight)
  // In a text a backslash would have to be written twice.
  const isScript = signsOf(dialect).equal === '==='
  const anything = !isText ? '[\\s\\S]' : isScript ? '[^]' : '(?s:.)'
  const [begins, ends] = [text.startsWith('^'), text.endsWith('$')]
  put(0, begins ? 1 : 0, begins ? '' : '^')
  put(text.length - (ends ? 1 : 0), ends ? 1 : 0, ends ? '' : '$')
  if (!begins && !ends) put(0, text.length, `^${text}$`)
  // In Python `$` is also where a last line break begins; Go has no `\Z`, and refuses it.
  if (ends && !isScript) put(text.length - 1, 1, '\\Z')
  for (const { index, 0: single } of text.matchAll(SINGLE))
    for (const sign of ['+', '*', '?']) put(index + single.length, 0, sign)
  for (const { index } of text.matchAll(ANY)) if (text[index - 1] !== '\\') put(index, 1, anything)
  // A mark and what follows it are there together, or not at all.
  for (const { index, 0: all, 1: mark, 2: group } of text.matchAll(BOTH_OR_NONE))
    if (text[index - 1] !== '\\') put(index, all.length, `(?:${mark}${group})?`)
  // `(?` begins a group of a kind, and what is escaped stands for itself.
  for (const { index, 0: sign } of text.matchAll(/[+*?]/g)) {
    if (/[(\\]/.test(text[index - 1] ?? '')) continue
    for (const other of SIGNS) if (other !== sign) put(index, 1, other, other.length > 1 && other[0] !== sign ? 0.5 : 1)
  }
  for (const { index, 0: all, 1: count = '' } of text.matchAll(/\{(\d{1,4})\}/g))
    for (const other of [`{1,${count}}`, `{${count},}`, `{0,${count}}`]) put(index, all.length, other)
  for (const { index, 0: all } of text.matchAll(CHOICES)) {
    const choices = all.split('|')
    // The first one that fits is taken: the longer ones stand first.
    const sorted = choices.toSorted((a, b) => b.length - a.length).join('|')
    if (sorted !== all) put(index, all.length, sorted)
  }
  // What the failing tests have beside letters and digits, and what a class may end with as it is.
  const marks = literals.marks.filter((mark) => mark !== ']')
  for (const { index, 0: all } of text.matchAll(CLASS)) {
    // Of a class that lists many marks, one is easily forgotten.
    const isList = new Set(all.match(/[^\w\s[\]^\\-]/g)).size >= LISTED_MARKS
    for (const mark of marks.filter((one) => !all.includes(one)).slice(0, MARKS_MAX))
      put(index + all.length - 1, 0, mark, isList ? 1.4 : 0.5)
  }
}

/** A pattern that is put together begins or ends where the text does. */
function endPattern(node: Node, _facts: SourceFacts, add: Add): void {
  const call = node.parent?.parent
  if (!/^(template_string|string)$/.test(node.type)) return
  const callee = call?.childForFieldName('function') ?? call?.childForFieldName('constructor')
  if (!/(^|\.)RegExp$|^re\./.test(callee?.text ?? '')) return
  const [from, to] = [node.startIndex + node.text.search(/['"`]/) + 1, node.endIndex - 1]
  if (node.text.at(-2) !== '$') add('regular_expression', to, to, '$')
  if (node.text[from - node.startIndex] !== '^') add('regular_expression', from, from, '^')
}
