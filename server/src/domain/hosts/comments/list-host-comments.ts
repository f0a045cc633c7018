import type { HostSubject } from '#base/hosts/host-event.ts'
import type { HostComment } from '#base/hosts/host-facts.ts'
import { hideMarker } from '#base/text/hidden-marker.ts'
import { rows, type Db } from '#db/pool.ts'
import { findSubject } from './find-subject.ts'
import { commentUrl } from '#domain/hosts/events/record-comment.ts'
import { hostActor } from '#domain/accounts/users/host-actor.ts'

export type ListHostComments = { organizationId: number; repoId: number; on: HostSubject; publicUrl: string }

/** All that was said at an issue or a pull request of the built-in host, as any host shows it. Throws `issue_not_found`, `pull_not_found`. */
export async function listHostComments(db: Db, { publicUrl, ...place }: ListHostComments): Promise<HostComment[]> {
  const { url, id: subjectId, kind } = await findSubject(db, { ...place, publicUrl })
  const line =
    kind === 'pull'
      ? `case when c.path is not null then json_build_object('path', c.path, 'line', c.line, 'side', c.side, 'commit', c.head_commit) end`
      : 'null::json'
  const comments = await rows<Omit<HostComment, 'id' | 'url'> & { id: number; marker: string | null }>(
    db,
    `select c.id, c.body, c.marker, c.created_at, ${hostActor} as author, ${line} as line
     from ${kind}_comments c left join users u on u.id = c.user_id
     where c.organization_id = $1 and c.${kind}_id = $2 order by c.id`,
    [place.organizationId, subjectId],
  )
  return comments.map(({ id, body, marker, ...comment }) => ({
    ...comment,
    id: String(id),
    body: marker === null ? body : hideMarker(body, marker),
    url: commentUrl(url, id),
  }))
}
