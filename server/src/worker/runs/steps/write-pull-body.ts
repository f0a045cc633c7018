import type { Answer } from '#adapters/engines/engine.ts'
import { limits } from '#base/limits.ts'
import { describeVerified, type Verified } from './verify-work.ts'
import { findClosedIssues, findConcernedIssues } from '#base/text/find-closed-issues.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'

export type WritePullBody = {
  answer: Pick<Answer, 'answer' | 'body'>
  /** What came of the repository's checks of the commit. */
  verified?: readonly Verified[]
  /** That the run was started from: what the agent says of one itself counts. */
  issues: readonly number[]
  /** Of the repository's pull requests; null: it has none. */
  template: string | null
  /** Where people find the run. */
  url: string
}

/** How the last paragraph begins. */
export const bodyFoot = '---\nMade by an agent: '

/** What the agent says of its work, and our checks before its own. */
export function textOf(answer: Pick<Answer, 'answer' | 'body'>, verified: readonly Verified[]): string {
  return withChecks((answer.body ?? answer.answer).trim(), verified.map(describeVerified))
}

/** What a pull request says below its title. */
export function writePullBody({ answer, verified = [], issues, template, url }: WritePullBody): string {
  const text = textOf(answer, verified)
  // No host takes more of it, and all that is said there is looked through.
  const read = text.slice(0, limits.commentCharactersMax)
  const mentioned = new Set([...findClosedIssues(read), ...findConcernedIssues(read)])
  const fixes = issues.filter((number) => !mentioned.has(number)).map((number) => `Fixes #${number}`)
  const foot = `${bodyFoot}${url}. A person must review it.\n`
  return [text, fixes.join('\n'), leftOfTemplate(read, template), foot].filter(Boolean).join('\n\n')
}

/** Ours come first in the list that the agent has made, or are the list. */
function withChecks(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text
  const list = `Checks:\n${lines.join('\n')}`
  const made = /^Checks:$/m.exec(text)
  return made ? `${text.slice(0, made.index)}${list}${text.slice(made.index + made[0].length)}` : `${text}\n\n${list}`
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
