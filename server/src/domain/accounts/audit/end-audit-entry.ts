import type { Db } from '#db/pool.ts'

export type EndAuditEntry = { organizationId: number; id: number; status: number }

/** Adds how it was answered. An entry that has its status is not changed any more. */
export async function endAuditEntry(db: Db, { organizationId, id, status }: EndAuditEntry): Promise<void> {
  await db.query('update audit_entries set status = $3 where organization_id = $1 and id = $2 and status is null', [
    organizationId,
    id,
    status,
  ])
}
