import { hasAnyMarker } from '#base/text/hidden-marker.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { pullUrl, type Pull } from '#domain/hosts/pulls/pull.ts'
import { hostActor } from '#domain/accounts/users/host-actor.ts'
import { reviewColumns, type Review } from './review.ts'

export type SaveReview = Omit<Review, 'id' | 'createdAt'> & {
  marker: string
  /** Where people reach the service. */
  publicUrl: string
}

/**
 * Keeps a review, once for each marker. That of a pull request of the built-in host is told to whoever acts on reviews;
 * another host tells of its own. Throws `pull_not_found`.
 */
export async function saveReview(db: Db, request: SaveReview): Promise<Review> {
  const { organizationId, pullId, marker } = request
  return inTransaction(db, async (tx) => {
    const pull = await getPull(tx, { organizationId, pullId })
    const made = await insert(tx, request)
    if (made && pull.url === null) await tell(tx, { pull, review: made, publicUrl: request.publicUrl })
    return (
      made ??
      one<Review>(
        tx,
        `select ${reviewColumns} from pull_reviews where organization_id = $1 and pull_id = $2 and marker = $3`,
        [organizationId, pullId, marker],
      )
    )
  })
}

function insert(tx: Db, request: SaveReview): Promise<Review | undefined> {
  const { organizationId, pullId, userId, runId, verdict, body, comments, headCommit, marker, url } = request
  return maybeOne<Review>(
    tx,
    `insert into pull_reviews (organization_id, pull_id, user_id, run_id, verdict, body, comments, head_commit, marker, url)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (organization_id, pull_id, marker) do nothing
     returning ${reviewColumns}`,
    [organizationId, pullId, userId, runId, verdict, body, JSON.stringify(comments), headCommit, marker, url],
  )
}

const states = { comment: 'commented', approve: 'approved', request_changes: 'changes_requested' } as const

type Tell = { pull: Pull; review: Review; publicUrl: string }

async function tell(tx: Db, { pull, review, publicUrl }: Tell): Promise<void> {
  // What agents write is nothing for agents to act on.
  if (review.userId === null || hasAnyMarker(review.body)) return
  const { organizationId, repoId, number } = pull
  const { actor } = await one<{ actor: null }>(tx, `select ${hostActor} as actor from users u where u.id = $1`, [
    review.userId,
  ])
  const url = `${pullUrl(publicUrl, pull)}#review-${review.id}`
  const words = [review.body, ...review.comments.map(({ path, line, body }) => `${path}:${line}: ${body}`)]
  const body = words.filter(Boolean).join('\n\n')
  const at = review.createdAt.toISOString()
  const id = `review:${review.id}`
  const event = { type: 'review', id, number, state: states[review.verdict], body, url, actor, at } as const
  await recordHostEvent(tx, { organizationId, repoId, event })
}
