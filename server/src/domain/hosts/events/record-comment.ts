import type { HostSubject } from '#base/hosts/host-event.ts'
import type { Db } from '#db/pool.ts'
import { recordHostEvent } from './record-host-event.ts'
import { getHostActor } from '#domain/accounts/users/get-host-actor.ts'

type RecordComment = {
  organizationId: number
  repoId: number
  on: HostSubject
  comment: { id: number; userId: number; body: string; createdAt: Date }
  /** Of what it stands at. */
  url: string
}

/** Tells whoever acts on comments of one of the built-in host, in the transaction in which it is made. */
export async function recordComment(
  tx: Db,
  { organizationId, repoId, on, comment, url }: RecordComment,
): Promise<void> {
  const { id, userId, body, createdAt } = comment
  const actor = await getHostActor(tx, { userId })
  const content = { id: String(id), body, url: commentUrl(url, id) }
  const event = { type: 'comment', on, actor, at: createdAt.toISOString(), comment: content } as const
  await recordHostEvent(tx, { organizationId, repoId, event })
}

/** Where people look at it, on the page of what it stands at. */
export function commentUrl(url: string, id: number): string {
  return `${url}#comment-${id}`
}
