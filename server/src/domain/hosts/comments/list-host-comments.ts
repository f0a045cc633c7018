import type { HostSubject } from '#base/hosts/host-event.ts'
import type { HostComment } from '#base/hosts/host-facts.ts'
import { hideMarker } from '#base/text/hidden-marker.ts'
import { rows, type Db } from '#db/pool.ts'
import { findSubject } from './find-subject.ts'
import { commentUrl } from '#domain/hosts/events/record-comment.ts'
import { hostActor } from '#domain/accounts/users/host-actor.ts'
import type { Review } from '#domain/hosts/reviews/review.ts'

export type ListHostComments = { organizationId: number; repoId: number; on: HostSubject; publicUrl: string }

/** All that was said at an issue or a pull request of the built-in host, as any host shows it. Throws `issue_not_found`, `pull_not_found`. */
export async function listHostComments(db: Db, { publicUrl, ...place }: ListHostComments): Promise<HostComment[]> {
  const { url, id: subjectId, kind } = await findSubject(db, { ...place, publicUrl })
  const ofKind =
    kind === 'pull'
      ? `case when c.path is not null then json_build_object('path', c.path, 'line', c.line, 'side', c.side, 'commit', c.head_commit) end as line,
         c.review_id, case when c.path is not null then coalesce(c.reply_to, c.id) end as thread_id`
      : 'null::json as line, null::bigint as review_id, null::bigint as thread_id'
  const comments = await rows<Said>(
    db,
    `select c.id, c.body, c.marker, c.created_at, ${hostActor} as author, ${ofKind}
     from ${kind}_comments c left join users u on u.id = c.user_id
     where c.organization_id = $1 and c.${kind}_id = $2 order by c.id`,
    [place.organizationId, subjectId],
  )
  const alone = comments.map(({ id, body, marker, reviewId, threadId, ...comment }) => ({
    ...comment,
    ...(reviewId !== null && { reviewId: `review:${reviewId}` }),
    ...(threadId !== null && { threadId: String(threadId) }),
    id: String(id),
    body: marker === null ? body : hideMarker(body, marker),
    url: commentUrl(url, id),
  }))
  if (kind === 'issue') return alone
  const inReviews = await listReviewed(db, { organizationId: place.organizationId, pullId: subjectId, url })
  return [...inReviews, ...alone].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

type Said = Omit<HostComment, 'id' | 'url' | 'reviewId' | 'threadId'> & {
  id: number
  marker: string | null
  reviewId: number | null
  threadId: number | null
}
type Reviewed = Pick<Review, 'id' | 'body' | 'createdAt'> & Pick<HostComment, 'author'>

/** What people say of the whole in reviews. */
async function listReviewed(
  db: Db,
  { organizationId, pullId, url }: { organizationId: number; pullId: number; url: string },
): Promise<HostComment[]> {
  const reviews = await rows<Reviewed>(
    db,
    `select r.id, r.body, r.created_at, ${hostActor} as author
     from pull_reviews r join users u on u.id = r.user_id
     where r.organization_id = $1 and r.pull_id = $2 order by r.id`,
    [organizationId, pullId],
  )
  return reviews
    .filter(({ body }) => body.trim())
    .map(({ id, ...review }) => {
      const reviewId = `review:${id}`
      return { ...review, id: reviewId, reviewId, url: `${url}#review-${id}`, line: null }
    })
}
