import type { Db } from '#db/pool.ts'

export type ResolveThreads = {
  organizationId: number
  pullId: number
  /** Any comments of the threads. */
  commentIds: readonly number[]
  userId: number
  /** False opens them again. */
  isResolved: boolean
}

/** Settles threads of a pull request of the built-in host; those that are gone, or settled already, stay as they are. */
export async function resolveThreads(
  db: Db,
  { organizationId, pullId, commentIds, userId, isResolved }: ResolveThreads,
): Promise<void> {
  await db.query(
    `update pull_comments set resolved_at = case when $5 then now() end, resolved_by = case when $5 then $4::bigint end
     where organization_id = $1 and pull_id = $2 and path is not null and reply_to is null and (resolved_at is not null) <> $5
       and id in (select coalesce(reply_to, id) from pull_comments where organization_id = $1 and pull_id = $2 and id = any($3))`,
    [organizationId, pullId, commentIds, userId, isResolved],
  )
}
