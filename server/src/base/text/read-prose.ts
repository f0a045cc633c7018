import { listParagraphs } from './list-paragraphs.ts'
import { stripHiddenMarkdown } from './strip-hidden-markdown.ts'

/** What people say in Markdown: without code and quotes, and what pages do not show. */
export function readProse(text: string): string {
  const paragraphs = listParagraphs(stripHiddenMarkdown(text))
  const spoken = paragraphs.map((paragraph) => withoutElements(withoutCode(paragraph), codeTags))
  return withoutElements(spoken.join('\n\n'), blockTags)
}

/** Code within a line begins and ends with as many backticks; a row of them that no other ends is text. */
function withoutCode(text: string): string {
  if (!text.includes('`')) return text
  const marks = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }))
  const byLength = new Map<number, { all: typeof marks; next: number }>()
  for (const mark of marks) {
    const same = byLength.get(mark.length)
    if (same) same.all.push(mark)
    else byLength.set(mark.length, { all: [mark], next: 0 })
  }
  let kept = ''
  let at = 0
  for (const mark of marks) {
    if (mark.index < at) continue
    const same = byLength.get(mark.length)!
    while ((same.all[same.next]?.index ?? Infinity) <= mark.index) same.next++
    const end = same.all[same.next]
    if (!end) continue
    kept += `${text.slice(at, mark.index)} `
    at = end.index + end.length
  }
  return kept + text.slice(at)
}

/** These end with the paragraph that they are in, if not before; */
const codeTags = /<(\/?)(code|tt)(?=[\s/>])/gi
/** these do not. */
const blockTags = /<(\/?)(pre|blockquote)(?=[\s/>])/gi

/** Without HTML elements of these names and what is in them, up to the end where one is not closed. */
function withoutElements(text: string, tags: RegExp): string {
  if (!text.includes('<')) return text
  let kept = ''
  let at = 0
  let open: { name: string; depth: number } | null = null
  for (const { index, 1: slash, 2: tag = '' } of text.matchAll(tags)) {
    const name = tag.toLowerCase()
    if (open) {
      if (open.name === name) open.depth += slash ? -1 : 1
      if (open.depth > 0) continue
      const end = text.indexOf('>', index)
      at = end < 0 ? text.length : end + 1
      open = null
    } else if (!slash) {
      kept += `${text.slice(at, index)} `
      open = { name, depth: 1 }
    }
  }
  return open ? kept : kept + text.slice(at)
}
