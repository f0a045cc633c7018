import type { Db } from '#db/pool.ts'

export type FinishSandbox = { organizationId: number; sandboxId: number; reason: string }

/** Writes down that a sandbox has ended, and why, once. */
export async function finishSandbox(db: Db, { organizationId, sandboxId, reason }: FinishSandbox): Promise<void> {
  await db.query(
    `update sandboxes set ended_at = now(), end_reason = $3 where organization_id = $1 and id = $2 and ended_at is null`,
    [organizationId, sandboxId, reason],
  )
}
