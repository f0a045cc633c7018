import { keepVisible } from './keep-visible.ts'

/**
 * Whether people who read the text see that somebody is mentioned by this name: outside of code and quotes, and of what
 * pages do not show.
 */
export function mentions(text: string, name: string): boolean {
  const said = withoutCode(withoutQuotesAndFences(keepVisible(text)))
  return new RegExp(String.raw`(?<![\w@/.\-])@${RegExp.escape(name)}(?![\w/\-]|\.\w)`, 'i').test(said)
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
  const byLength = Map.groupBy(marks, ({ length }) => length)
  let kept = ''
  let at = 0
  for (const mark of marks) {
    if (mark.index < at) continue
    const same = byLength.get(mark.length) ?? []
    while (same.length && (same[0]?.index ?? 0) <= mark.index) same.shift()
    const end = same[0]
    if (!end) continue
    kept += `${text.slice(at, mark.index)} `
    at = end.index + end.length
  }
  return kept + text.slice(at)
}
