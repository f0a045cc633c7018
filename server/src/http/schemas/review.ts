import { Type } from 'typebox'
import { reviewTimes } from '#domain/accounts/organizations/review-time.ts'
import { verdicts } from '#domain/hosts/reviews/review.ts'
import { limits } from '#base/limits.ts'
import { Component, Id, Nullable, Ordinal, PageOf, Text, Time, Word } from './fields.ts'

export const ReviewTime = Word(reviewTimes, {
  description:
    'When agents review pull requests automatically: never, once when a pull request is ready, or at each commit after pushes have settled.',
})
export const WatchedBranches = Type.Array(Text(244), {
  maxItems: limits.watchedBranchesMax,
  description: 'Branches where agents review what people push.',
})

const ReviewBody = Component('PullRequestReview', {
  id: Id,
  pr_id: Id,
  user_id: Nullable(Type.Integer({ ...Id, description: 'Who wrote the review. Null if an agent did.' })),
  agent_run_id: Nullable(Type.Integer({ ...Id, description: 'The run that wrote the review.' })),
  web_url: Nullable(Type.String({ description: 'URL of that run in the web UI.' })),
  verdict: Word(verdicts),
  body: Type.String(),
  comments: Type.Array(
    Type.Object({ path: Type.String(), line: Ordinal, side: Word(['base', 'head']), body: Type.String() }),
  ),
  head_commit: Type.String({ description: 'The commit that was reviewed.' }),
  url: Nullable(Type.String({ description: 'URL on the external host.' })),
  created_at: Time,
})

export const reviewComponents = [ReviewBody, PageOf(ReviewBody)]
