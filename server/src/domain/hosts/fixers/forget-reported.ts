import type { Db } from '#db/pool.ts'

/** Has what was said of a run on a commit said anew: its host has put the check back to where it began. */
export async function forgetReported(
  db: Db,
  { organizationId, pullId, commit }: { organizationId: number; pullId: number; commit: string },
): Promise<void> {
  await db.query(
    `update pull_agents set reported = null where organization_id = $1 and pull_id = $2 and reported->>'commit' = $3`,
    [organizationId, pullId, commit],
  )
}
