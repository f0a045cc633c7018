import type { HostSubject } from '#base/hosts/host-event.ts'
import { hideMarker } from '#base/text/hidden-marker.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { getHostActor } from '#domain/accounts/users/get-host-actor.ts'
import { findSubject } from './find-subject.ts'
import { commentUrl, recordComment } from '#domain/hosts/events/record-comment.ts'

export type SaveHostComment = {
  organizationId: number
  repoId: number
  on: HostSubject
  marker: string
  body: string
  publicUrl: string
}

/**
 * A comment of the agent's on the built-in host, which keeps the marker beside the text, so that no page has to hide it; one
 * with the same marker gets the new text. Throws `issue_not_found`, `pull_not_found`.
 */
export async function saveHostComment(db: Db, { marker, body, ...place }: SaveHostComment) {
  return inTransaction(db, async (tx) => {
    const { organizationId, repoId, on } = place
    const { kind, id, url, headCommit } = await findSubject(tx, place)
    const userId = await getAgentUser(tx, { organizationId })
    const comment = await one<{ id: number; userId: number; body: string; createdAt: Date; isNew: boolean }>(
      tx,
      `insert into ${kind}_comments (organization_id, ${kind}_id, user_id, body, marker${kind === 'pull' ? ', head_commit' : ''})
       values ($1, $2, $3, $4, $5${kind === 'pull' ? ', $6' : ''})
       on conflict (organization_id, ${kind}_id, marker) where marker is not null do update set body = excluded.body
       returning id, user_id, body, created_at, xmax = 0 as "isNew"`,
      [organizationId, id, userId, body.trimEnd(), marker, ...(kind === 'pull' ? [headCommit] : [])],
    )
    if (comment.isNew) await recordComment(tx, { organizationId, repoId, on, comment, url })
    const author = await getHostActor(tx, { userId })
    const { createdAt } = comment
    return {
      id: String(comment.id),
      url: commentUrl(url, comment.id),
      body: hideMarker(comment.body, marker),
      author,
      createdAt,
      line: null,
    }
  })
}
