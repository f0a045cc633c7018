/**
 * What people say in a Markdown text, by paragraphs: without quotes and blocks of code, in lists too. Lines of lists are paragraphs
 * of their own.
 */
export function listParagraphs(text: string): string[] {
  const reader: Reader = { paragraphs: [], lines: [], items: [], fence: null }
  for (const line of text.split('\n')) readLine(reader, withoutTabs(line))
  endParagraph(reader)
  return reader.paragraphs
}

type Reader = {
  paragraphs: string[]
  /** Of the paragraph that is being read. */
  lines: string[]
  /** Where the text of each list item begins that is open, the outermost first. */
  items: number[]
  /** A block of code that ends with such a mark, or with the item that it is in. */
  fence: { mark: string; item: number } | null
}

/** What is further in is code, unless a paragraph goes on. */
const codeIndent = 4
/** Who nests lists deeper than that reads no more of them. */
const itemsMax = 100

function readLine(reader: Reader, line: string): void {
  const indent = line.length - line.trimStart().length
  if (indent === line.length) return endParagraph(reader)
  if (reader.fence && indent >= reader.fence.item) {
    const words = line.trim()
    const { mark } = reader.fence
    if (words.length >= mark.length && words === (mark[0] ?? '').repeat(words.length)) reader.fence = null
    return
  }
  reader.fence = null
  while (indent < itemOf(reader)) reader.items.pop()
  readContent(reader, line, indent)
}

const itemOf = ({ items }: Reader) => items.at(-1) ?? 0

/** From where it begins on: `at` is also how far in it is, as tabs are spaces. */
function readContent(reader: Reader, line: string, begin: number): void {
  let at = begin
  while (at < line.length && reader.items.length < itemsMax) {
    if (at - itemOf(reader) >= codeIndent) {
      if (reader.lines.length) break
      return
    }
    const rest = line.slice(at, at + markCharactersMax)
    if (rest.startsWith('>')) return endParagraph(reader)
    const [marker] = /^(?:[-+*]|\d{1,9}[.)])(?= |$)/.exec(rest) ?? []
    if (marker === undefined) break
    endParagraph(reader)
    const next = at + marker.length
    const text = nextText(line, next)
    // Further in than that the item begins with code.
    reader.items.push(text - next > codeIndent ? next + 1 : text)
    at = text
  }
  readText(reader, line.slice(at))
}

const markCharactersMax = 12

function nextText(line: string, from: number): number {
  let at = from
  while (line[at] === ' ') at++
  return at
}

function readText(reader: Reader, text: string): void {
  const [mark] = /^(?:`{3,}|~{3,})/.exec(text) ?? []
  if (mark !== undefined && !(mark.startsWith('`') && text.includes('`', mark.length))) {
    endParagraph(reader)
    reader.fence = { mark, item: itemOf(reader) }
    return
  }
  reader.lines.push(text)
  // A heading is one line.
  if (/^#{1,6}(?: |$)/.test(text)) endParagraph(reader)
}

function endParagraph(reader: Reader): void {
  if (reader.lines.length) reader.paragraphs.push(reader.lines.join('\n'))
  reader.lines = []
}

/** Those before the text and after marks of lists reach to the next multiple of four. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  let added = 0
  return line.replaceAll(/\t+/g, (tabs, at: number) => {
    const width = 4 * tabs.length - ((at + added) % 4)
    added += width - tabs.length
    return ' '.repeat(width)
  })
}
