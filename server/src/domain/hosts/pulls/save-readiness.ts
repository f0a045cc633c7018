import type { Db } from '#db/pool.ts'

export type SaveReadiness = {
  organizationId: number
  pullId: number
  /** The head that may be merged as it is; null: it may not. */
  commit: string | null
}

/** Keeps at which commit a pull request is ready to be merged. Those who wait for that are told by a trigger, once for each. */
export async function saveReadiness(db: Db, { organizationId, pullId, commit }: SaveReadiness): Promise<void> {
  await db.query(
    `update pulls set ready_commit = $3, ready_at = case when $3::text is null then null else now() end
     where organization_id = $1 and id = $2 and ready_commit is distinct from $3`,
    [organizationId, pullId, commit],
  )
}
