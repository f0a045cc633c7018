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
  const line =
    kind === 'pull'
      ? `case when c.path is not null then json_build_object('path', c.path, 'line', c.line, 'side', c.side, 'commit', c.head_commit) end`
      : 'null::json'
  const comments = await rows<Said>(
    db,
    `select c.id, c.body, c.marker, c.created_at, ${hostActor} as author, ${line} as line
     from ${kind}_comments c left join users u on u.id = c.user_id
     where c.organization_id = $1 and c.${kind}_id = $2 order by c.id`,
    [place.organizationId, subjectId],
  )
  const outside = comments.map(({ id, body, marker, ...comment }) => ({
    ...comment,
    id: String(id),
    body: marker === null ? body : hideMarker(body, marker),
    url: commentUrl(url, id),
  }))
  if (kind === 'issue') return outside
  const inReviews = await listReviewed(db, { organizationId: place.organizationId, pullId: subjectId, url })
  return [...outside, ...inReviews].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

type Said = Omit<HostComment, 'id' | 'url' | 'reviewId' | 'threadId'> & { id: number; marker: string | null }
type Reviewed = Pick<Review, 'id' | 'body' | 'comments' | 'headCommit' | 'createdAt'> & Pick<HostComment, 'author'>

/** What people say in reviews, of the whole and of lines. */
async function listReviewed(
  db: Db,
  { organizationId, pullId, url }: { organizationId: number; pullId: number; url: string },
): Promise<HostComment[]> {
  const reviews = await rows<Reviewed>(
    db,
    `select r.id, r.body, r.comments, r.head_commit, r.created_at, ${hostActor} as author
     from pull_reviews r join users u on u.id = r.user_id
     where r.organization_id = $1 and r.pull_id = $2 order by r.id`,
    [organizationId, pullId],
  )
  return reviews.flatMap(({ id, body, comments, headCommit: commit, author, createdAt }) => {
    const reviewId = `review:${id}`
    const shared = { author, createdAt, reviewId, url: `${url}#review-${id}` }
    const onLines = comments.map((comment, index) => {
      const { path, line, side } = comment
      return { ...shared, id: `${reviewId}/${index + 1}`, body: comment.body, line: { path, line, side, commit } }
    })
    return body.trim() ? [{ ...shared, id: reviewId, body, line: null }, ...onLines] : onLines
  })
}
