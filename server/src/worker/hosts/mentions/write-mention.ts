import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { generateSeal, markForeign } from '#base/text/mark-foreign.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import type { HostComment } from '#adapters/codehosts/code-host.ts'
import { isAmong } from './trusted-authors.ts'
import { nameOf, type Subject } from './read-subject.ts'

export type WriteMention = {
  repository: string
  subject: Subject
  /** Somebody who is trusted, in whose name this is. */
  asker: HostActor
  /** What they have said; null where they have assigned the agent or set a label, and said nothing. */
  comment: Asked | null
  /** Whose words may be shown; and whether those of the issue or pull request itself may. */
  trusted: ReadonlySet<string>
  isShown: boolean
}

export type Asked = Pick<HostComment, 'id' | 'body' | 'line'>

/**
 * What an agent is told of what somebody asks of it: their words, and as data what else was said by people who may write
 * there. Of all others it learns only where their words stand.
 */
export function writeMention(request: WriteMention): string {
  const { subject, asker, comment, trusted, isShown } = request
  const seal = generateSeal()
  const mark = (text: string, from: string) => markForeign(cut(text), { from, seal, isRendered: true })
  const omitted: string[] = []
  const parts = [opening(request, seal)]
  if (isShown) {
    const from = nameOf(subject.on) + (subject.author ? ` by ${subject.author.login}` : '')
    parts.push(`It says:\n${mark(`${subject.title}\n\n${subject.body}`, from)}`)
  } else omitted.push(subject.url)
  const shown: string[] = []
  let room: number = hostLimits.shownTextsCharactersMax
  for (const other of subject.comments.toReversed()) {
    if (other.id === comment?.id) continue
    if (!isAmong(trusted, other.author) || (room -= other.body.length) < 0) omitted.push(other.url)
    else shown.unshift(mark(other.body, `comment of ${other.author?.login}${placeOf(other)}`))
  }
  if (shown.length) parts.push(`What was said of it before:\n${shown.join('\n')}`)
  if (omitted.length)
    parts.push(
      `Not shown to you, because it is by people who may not write to this repository, or too long:\n${omitted.slice(0, omittedMax).join('\n')}`,
    )
  parts.push(`Your answer at the end will be told to ${asker.login} there.`)
  return parts.join('\n\n')
}

/** Of what is not shown, so many addresses are named. */
const omittedMax = 20

function opening({ repository, subject, asker, comment }: WriteMention, seal: string): string {
  const where = `${nameOf(subject.on)} of ${repository} (${subject.url})`
  if (!comment) return `${asker.login} has given ${where} to you. See to it.`
  return `${asker.login} asks you at ${where}${placeOf(comment)}:\n\n${wordsOf(comment, seal)}`
}

/** With the lines that they are about, which may be somebody else's. */
function wordsOf({ body, line }: Asked, seal: string): string {
  const words = cut(stripHiddenMarkdown(body)).trim()
  if (!line?.hunk) return words
  // It ends at the lines in question.
  const hunk = line.hunk.slice(-hostLimits.shownHunkCharactersMax).toWellFormed()
  return `${words}\n\nThe diff up to there:\n${markForeign(hunk, { from: `diff of ${line.path}`, seal })}`
}

function placeOf({ line }: Pick<HostComment, 'line'>): string {
  if (!line) return ''
  const { startLine = line.line } = line
  const lines = startLine < line.line ? `lines ${startLine} to ${line.line}` : `line ${line.line}`
  return `, on ${lines} of ${line.path}${line.side === 'base' ? ' as it was before' : ''}`
}

function cut(text: string): string {
  const max = hostLimits.shownTextCharactersMax
  return text.length > max ? `${text.slice(0, max).toWellFormed()}\n[cut here]` : text
}
