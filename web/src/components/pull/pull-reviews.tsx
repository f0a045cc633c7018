import type { PullRequest, PullRequestComment, PullRequestReview } from '@runwright/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, pullReviewsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { useNames } from '#components/use-names.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { formatAgo, formatTime } from '#ui/format.ts'
import { Markdown } from '#ui/markdown.tsx'
import { PageLink } from '#ui/page-link.tsx'
import type { Thread } from './group-threads.ts'
import { PullThread } from './pull-thread.tsx'

/** What people and agents have found of the whole, and a way to ask an agent for a review. */
export function PullReviews({ pull, threads }: { pull: PullRequest; threads: Thread[] }): ReactElement {
  const { data: reviews, error, refetch } = useQuery(pullReviewsQuery(pull))
  const ask = useMutation({
    mutationFn: () => client.pullRequests.requestReview({ org_id: pull.organization_id, pr_id: pull.id }),
  })
  return (
    <section className="panel" aria-label="Reviews">
      <header>
        <h2>Reviews</h2>
        {pull.state === 'open' && (
          <Button look="ghost sm end" isBusy={ask.isPending} onClick={() => ask.mutate()}>
            Ask an agent for a review
          </Button>
        )}
      </header>
      <div className="stack panel-body" style={{ gap: 16 }}>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {ask.error && <Fault error={ask.error} />}
        {ask.data && (
          <p role="status">
            <RunLink organizationId={pull.organization_id} runId={ask.data.id} /> is reviewing it. Its findings will
            appear here.
          </p>
        )}
        {reviews?.map((review) => (
          <ReviewCard
            key={review.id}
            pull={pull}
            review={review}
            threads={threads.filter(({ first }) => first.review_id === review.id)}
          />
        ))}
        {reviews?.length === 0 && !ask.data && <p className="faint">No reviews yet.</p>}
      </div>
    </section>
  )
}

const verdicts = {
  approve: ['approved', 'completed'],
  request_changes: ['requested changes', 'failed'],
  comment: ['commented', 'queued'],
} as const

type CardProps = { pull: PullRequest; review: PullRequestReview; threads: Thread[] }

function ReviewCard({ pull, review, threads }: CardProps): ReactElement {
  const nameOf = useNames(pull.organization_id)
  const name = review.user_id === null ? 'Agent' : nameOf(review.user_id)
  const [word, tone] = verdicts[review.verdict]
  return (
    <article className="comment" aria-label={`Review of ${name}`}>
      <Avatar name={name} />
      <div>
        <div className="head wrap">
          <b>{name}</b>
          <span className={`tag tone ${tone}`}>{word}</span>
          <time dateTime={review.created_at} title={formatTime(review.created_at)}>
            {formatAgo(review.created_at, Date.now())}
          </time>
          {review.agent_run_id !== null && (
            <RunLink organizationId={pull.organization_id} runId={review.agent_run_id} />
          )}
          {review.url && <PageLink href={review.url}>On its host</PageLink>}
          {review.head_commit !== pull.head_commit && <span className="tag">on an earlier commit</span>}
        </div>
        {review.body.trim() && (
          <div className="prose">
            <Markdown text={review.body} />
          </div>
        )}
        {threads.map((thread) => (
          <div key={thread.first.id} className="review-line stack">
            <LineWords {...thread.first} />
            <PullThread pull={pull} thread={thread} />
          </div>
        ))}
        {/* Another host has its own threads. */}
        {threads.length === 0 &&
          review.comments.map((comment, n) => (
            <div key={n} className="review-line">
              <LineWords {...comment} />
              <div className="prose">
                <Markdown text={comment.body} />
              </div>
            </div>
          ))}
      </div>
    </article>
  )
}

function LineWords({ path, line, side }: Pick<PullRequestComment, 'path' | 'line' | 'side'>): ReactElement {
  return (
    <p className="small muted">
      <code className="mono">{path}</code>, {side === 'base' ? 'removed line' : 'line'} {line}
    </p>
  )
}

function RunLink({ organizationId, runId }: { organizationId: number; runId: number }): ReactElement {
  return (
    <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
      Run #{runId}
    </Link>
  )
}
