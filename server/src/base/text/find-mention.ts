import { stripHiddenMarkdown } from './strip-hidden-markdown.ts'

/**
 * Whether people who read the text see that somebody is mentioned by this name: outside of code and quotes, and of what
 * pages do not show.
 */
export function mentions(text: string, name: string): boolean {
  const prose = withoutCode(withoutQuotesAndFences(stripHiddenMarkdown(text)))
  const lower = prose.toLowerCase()
  const word = `@${name.toLowerCase()}`
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const end = at + word.length
    if (!/[\w@/.-]/.test(lower[at - 1] ?? '') && !/^(?:[\w/-]|\.\w)/.test(lower.slice(end, end + 2))) return true
  }
  return false
}

function withoutQuotesAndFences(text: string): string {
  const kept: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence) {
      if (mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = undefined
    } else if (mark && !(mark.startsWith('`') && line.includes('`', line.indexOf(mark) + mark.length))) fence = mark
    else if (!/^ {0,3}>/.test(line)) kept.push(line)
  }
  return kept.join('\n')
}

/** Code within a line begins and ends with as many backticks; a row of them that no other ends is text. */
function withoutCode(text: string): string {
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
