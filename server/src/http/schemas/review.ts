import { Type } from 'typebox'
import { reviewTimes, verdicts } from '#domain/reviews/review.ts'
import { limits } from '#base/limits.ts'
import { Id, Nullable, Ordinal, PageOf, Text, Time, Word } from './fields.ts'

export const ReviewTime = Word(reviewTimes, {
  description:
    'When agents review pull requests by themselves: never, once each is ready, or at each commit that it comes to rest at.',
})
export const WatchedBranches = Type.Array(Text(244), {
  maxItems: limits.watchedBranchesMax,
  description: 'Branches on which agents look at what people push.',
})

const ReviewBody = Type.Object(
  {
    id: Id,
    pr_id: Id,
    user_id: Nullable(Type.Integer({ ...Id, description: 'Who wrote it; null for an agent.' })),
    agent_run_id: Nullable(Type.Integer({ ...Id, description: 'The run that wrote it.' })),
    web_url: Nullable(Type.String({ description: 'Where that run is shown.' })),
    verdict: Word(verdicts),
    body: Type.String(),
    comments: Type.Array(
      Type.Object({ path: Type.String(), line: Ordinal, side: Word(['base', 'head']), body: Type.String() }),
    ),
    head_commit: Type.String({ description: 'What its writer saw.' }),
    url: Nullable(Type.String({ description: 'Where it stands on another host.' })),
    created_at: Time,
  },
  { $id: 'PullRequestReview', title: 'PullRequestReview' },
)

export const reviewComponents = [ReviewBody, PageOf('PullRequestReview')]
