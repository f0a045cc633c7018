import type { HostComment } from '#base/hosts/host-facts.ts'
import { hideMarker } from '#base/text/hidden-marker.ts'
import type { Db } from '#db/pool.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { getHostActor } from '#domain/accounts/users/get-host-actor.ts'
import { commentUrl } from '#domain/hosts/events/record-comment.ts'
import { findHostPull } from '#domain/hosts/pulls/find-host-pull.ts'
import { pullUrl } from '#domain/hosts/pulls/pull.ts'
import { replyInThread } from '#domain/hosts/pulls/reply-in-thread.ts'

export type SaveThreadReply = {
  organizationId: number
  repoId: number
  number: number
  threadId: string
  marker: string
  body: string
  publicUrl: string
}

/** A reply of the agent's on the built-in host, once for each marker. Throws `pull_not_found`, `comment_not_found`. */
export async function saveThreadReply(db: Db, request: SaveThreadReply): Promise<HostComment> {
  const { organizationId, threadId, marker, publicUrl } = request
  const pull = await findHostPull(db, request)
  const userId = await getAgentUser(db, { organizationId })
  const reply = { pull, commentId: Number(threadId), userId, body: request.body.trimEnd(), marker, publicUrl }
  const { id, body, createdAt, path, line, side, headCommit } = await replyInThread(db, reply)
  return {
    id: String(id),
    url: commentUrl(pullUrl(publicUrl, pull), id),
    body: hideMarker(body, marker),
    author: await getHostActor(db, { userId }),
    createdAt,
    threadId,
    line: { path: path!, line: line!, side: side!, commit: headCommit! },
  }
}
