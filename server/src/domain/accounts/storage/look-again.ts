import type { Db } from '#db/pool.ts'

export type LookAgain = { organizationId: number; repoId: number; inMs: number }

/** Has a repository looked at again, whatever has come in. */
export async function lookAgain(db: Db, { organizationId, repoId, inMs }: LookAgain): Promise<void> {
  await db.query(
    `update storage set look_at = now() + $3 * interval '1 millisecond' where organization_id = $1 and scope = 'repo' and id = $2`,
    [organizationId, repoId, inMs],
  )
}
