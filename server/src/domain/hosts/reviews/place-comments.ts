import { limits } from '#base/limits.ts'
import { readDiffLines } from '#base/text/read-diff-lines.ts'
import type { ReviewComment } from './review.ts'

export type PlaceComments = { body: string; comments: ReviewComment[]; diff: string }

/** A host takes comments only on lines that it shows: those on others become part of what is said of the whole. */
export function placeComments({ body, comments, diff }: PlaceComments): { body: string; comments: ReviewComment[] } {
  const shown = readDiffLines(diff)
  const isShown = ({ path, line, side }: ReviewComment) => shown.get(path)?.[side].has(line) ?? false
  const placed = comments.filter(isShown).slice(0, limits.reviewCommentsMax)
  const others = comments.filter((comment) => !placed.includes(comment))
  if (!others.length) return { body, comments: placed }
  const lines = others.map(({ path, line, body: words }) => `- \`${path.replaceAll('`', "'")}:${line}\`: ${words}`)
  return { body: `${body}\n\nOn lines that the pull request does not show:\n\n${lines.join('\n')}`, comments: placed }
}
