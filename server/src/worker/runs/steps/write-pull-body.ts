import type { Answer } from '#adapters/engines/engine.ts'
import { limits } from '#base/limits.ts'
import { findClosedIssues, findConcernedIssues } from '#base/text/find-closed-issues.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'

export type WritePullBody = {
  answer: Pick<Answer, 'answer' | 'body'>
  /** That the run was started from: what the agent says of one itself counts. */
  issues: readonly number[]
  /** Of the repository's pull requests; null: it has none. */
  template: string | null
  /** Where people find the run. */
  url: string
}

/** What a pull request says below its title. */
export function writePullBody({ answer, issues, template, url }: WritePullBody): string {
  const text = (answer.body ?? answer.answer).trim()
  // No host takes more of it, and all that is said there is looked through.
  const read = text.slice(0, limits.commentCharactersMax)
  const mentioned = new Set([...findClosedIssues(read), ...findConcernedIssues(read)])
  const fixes = issues.filter((number) => !mentioned.has(number)).map((number) => `Fixes #${number}`)
  const foot = `---\nMade by an agent: ${url}. A person must review it.\n`
  return [text, fixes.join('\n'), leftOfTemplate(read, template), foot].filter(Boolean).join('\n\n')
}

/** Of a template that the text was not written after, what people look for: its headings, and what is to be ticked. */
function leftOfTemplate(text: string, template: string | null): string {
  const lines = linesOf(template ?? '').filter((line) => isHeading(line) || /^\s*[-*] \[[ x]\] /i.test(line))
  const headings = lines.filter(isHeading).map(wordsOf)
  const used = new Set(linesOf(text).filter(isHeading).map(wordsOf))
  if (!headings.length || headings.some((heading) => used.has(heading))) return ''
  return lines.map((line, n) => (n > 0 && isHeading(line) ? `\n${line}` : line)).join('\n')
}

const isHeading = (line: string): boolean => /^#{1,6} /.test(line)
const wordsOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Outside of code, as people see them. */
function linesOf(markdown: string): string[] {
  const lines: string[] = []
  let fence = ''
  for (const line of stripHiddenMarkdown(markdown).split(/\r?\n/)) {
    const [mark = ''] = /^ {0,3}(?:```|~~~)/.exec(line) ?? []
    if (mark && (fence === '' || fence === mark.trim())) fence = fence ? '' : mark.trim()
    else if (!fence) lines.push(line.trimEnd())
  }
  return lines
}
