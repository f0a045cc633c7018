import { fenceText } from '#base/text/fence-text.ts'

export const verdicts = ['comment', 'approve', 'request_changes'] as const
export type Verdict = (typeof verdicts)[number]

/** What is said of a line, as the file was or is now. */
export type ReviewComment = { path: string; line: number; side: 'base' | 'head'; body: string }

/** One of several lines, from `startLine` to `line`, may say what is to stand there in their place. */
export type SuggestingComment = ReviewComment & { startLine?: number; suggestion?: string }

/** As it is read where nobody can take over what it suggests with a click. */
export function asReviewComment({ path, line, side, body, suggestion }: SuggestingComment): ReviewComment {
  return { path, line, side, body: suggestion === undefined ? body : `${body}\n\n${fenceText(suggestion)}` }
}

/** What somebody has found of a whole pull request. */
export type Review = {
  organizationId: number
  id: number
  pullId: number
  /** Who wrote it; null for an agent. */
  userId: number | null
  /** The run that did. */
  runId: number | null
  verdict: Verdict
  body: string
  comments: ReviewComment[]
  /** What was reviewed. */
  headCommit: string
  /** Where it stands on another host. */
  url: string | null
  createdAt: Date
}

/** What a statement selects to get a `Review`. */
export const reviewColumns = `organization_id, id, pull_id, user_id, run_id,
  verdict, body, comments, head_commit, url, created_at`

/** By which a review that a run posts is found again. */
export const reviewMarker = (runId: number): string => `agent-review:${runId}`
