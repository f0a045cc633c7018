import type { Answer } from '#adapters/engines/engine.ts'
import { findClosedIssues, findConcernedIssues } from '#base/text/find-closed-issues.ts'

export type WritePullBody = {
  answer: Pick<Answer, 'answer' | 'body'>
  /** That the run was started from: what the agent says of one itself counts. */
  issues: readonly number[]
  /** Where people find the run. */
  url: string
}

/** What a pull request says below its title. */
export function writePullBody({ answer, issues, url }: WritePullBody): string {
  const text = (answer.body ?? answer.answer).trim()
  const said = new Set([...findClosedIssues(text), ...findConcernedIssues(text)])
  const fixes = issues.filter((number) => !said.has(number)).map((number) => `Fixes #${number}`)
  const parts = [text, fixes.join('\n'), `---\nMade by an agent: ${url}. A person must review it.\n`]
  return parts.filter(Boolean).join('\n\n')
}
