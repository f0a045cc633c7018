import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { generateSeal, markForeign } from '#base/text/mark-foreign.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import type { HostComment } from '#adapters/codehosts/code-host.ts'
import { labelOf } from '#domain/hosts/threads/asked-thread.ts'
import { isAmong } from './trusted-authors.ts'
import { nameOf, type Subject } from './read-subject.ts'

export type WriteMention = {
  repository: string
  subject: Subject
  /** Somebody who is trusted, in whose name this is. */
  asker: HostActor
  /** What they have said, several where it is a review; none where they have assigned the agent or set a label. */
  asked: readonly Asked[]
  /** Whose words may be shown; and whether those of the issue or pull request itself may. */
  trusted: ReadonlySet<string>
  isShown: boolean
}

export type Asked = Pick<HostComment, 'id' | 'body' | 'line' | 'threadId'>

/**
 * What an agent is told of what somebody asks of it: their words, and as data what else was said by people who may write
 * there. Of all others it learns only where their words stand.
 */
export function writeMention(request: WriteMention): string {
  const { subject, asker, asked, trusted, isShown } = request
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
    if (asked.some(({ id }) => id === other.id)) continue
    if (!isAmong(trusted, other.author) || (room -= other.body.length) < 0) omitted.push(other.url)
    else shown.unshift(mark(other.body, `comment of ${other.author?.login}${placeOf(other)}`))
  }
  if (shown.length) parts.push(`What was said of it before:\n${shown.join('\n')}`)
  if (omitted.length)
    parts.push(
      `Not shown to you, because it is by people who may not write to this repository, or too long:\n${omitted.slice(0, omittedMax).join('\n')}`,
    )
  parts.push(`Your answer at the end will be told to ${asker.login} there.`)
  if (asked.some(hasThread)) parts.push(aboutReplies)
  return parts.join('\n\n')
}

/** Of what is not shown, so many addresses are named. */
const omittedMax = 20

/** How each of them is answered by itself. */
const aboutReplies = `Each comment with a number is answered in its own thread. Give finish \`replies\`, one for each of them: as \`comment\` the number,
as \`text\` what you did about it, or your answer to it, in a sentence or two for whoever wrote it, and \`resolved\`: true where nothing is left to do about it.`

const hasThread = ({ threadId }: Asked) => threadId !== undefined

function opening({ repository, subject, asker, asked }: WriteMention, seal: string): string {
  const where = `${nameOf(subject.on)} of ${repository} (${subject.url})`
  const [only, ...others] = asked
  if (!only) return `${asker.login} has given ${where} to you. See to it.`
  const words = wordsWithin(hostLimits.shownTextsCharactersMax, seal)
  if (!others.length) return `${asker.login} asks you at ${where}${placeOf(only)}${numberOf(only)}:\n\n${words(only)}`
  const each = asked.map((comment) => {
    const place = comment.line ? `About ${placeOf(comment).slice(', on '.length)}` : 'About the whole'
    return `${place}${numberOf(comment)}:\n\n${words(comment)}`
  })
  return [
    `${asker.login} asks you in a review at ${where}, in ${asked.length} comments. See to each of them.`,
    ...each,
  ].join('\n\n')
}

const numberOf = (comment: Asked) => (hasThread(comment) ? ` (comment ${labelOf(comment.id)})` : '')

/** What somebody says with the lines that it is about, which may be somebody else's; these as long as there is room. */
function wordsWithin(charactersMax: number, seal: string): (comment: Asked) => string {
  let room = charactersMax
  return ({ body, line }) => {
    const words = cut(stripHiddenMarkdown(body)).trim()
    if (!line?.hunk) return words
    // It ends at the lines in question.
    const hunk = line.hunk.slice(-hostLimits.shownHunkCharactersMax).toWellFormed()
    if ((room -= hunk.length) < 0) return words
    return `${words}\n\nThe diff up to there:\n${markForeign(hunk, { from: `diff of ${line.path}`, seal })}`
  }
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
