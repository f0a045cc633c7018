import { limits } from '#base/limits.ts'
import { readDiffLines, type ShownLines } from '#base/text/read-diff-lines.ts'
import { asReviewComment, type SuggestingComment } from './review.ts'

export type PlaceComments = { body: string; comments: SuggestingComment[]; diff: string }

/** A host takes comments only on lines that it shows: those on others become part of what is said of the whole. */
export function placeComments({ body, comments, diff }: PlaceComments): {
  body: string
  comments: SuggestingComment[]
} {
  const shown = readDiffLines(diff)
  const placeable = comments.flatMap((comment) => place(comment, shown.get(comment.path)) ?? [])
  const placed = placeable.slice(0, limits.reviewCommentsMax)
  const unplaced = comments.filter((comment) => !place(comment, shown.get(comment.path)))
  const others = [...unplaced, ...placeable.slice(limits.reviewCommentsMax)].map(asReviewComment)
  if (!others.length) return { body, comments: placed }
  const lines = others.map(({ path, line, body: words }) => `- \`${path.replaceAll('`', "'")}:${line}\`: ${words}`)
  return { body: `${body}\n\nOn lines that the pull request does not show:\n\n${lines.join('\n')}`, comments: placed }
}

/** On all of its lines; where not all of them are shown, on the last of them, with what it suggests as mere words. */
function place(comment: SuggestingComment, shown: ShownLines | undefined): SuggestingComment | null {
  const { line, side, startLine = line } = comment
  const isShown = (n: number) => shown?.[side].has(n) ?? false
  if (!isShown(line)) return null
  let next = startLine
  while (next <= line && isShown(next)) next++
  const isWhole = startLine <= line && next > line
  if (!isWhole) return asReviewComment(comment)
  if (startLine < line) return comment
  const { startLine: _, ...onOne } = comment
  return onOne
}
