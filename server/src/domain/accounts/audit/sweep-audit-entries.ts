import type { Db } from '#db/pool.ts'

const keptDays = 400
const sweptMax = 5_000

/** Removes old entries; a bounded number a call. */
export async function sweepAuditEntries(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from audit_entries where (organization_id, id) in (
       select organization_id, id from audit_entries where at < now() - make_interval(days => $1)
       order by at limit $2 for update skip locked)`,
    [keptDays, sweptMax],
  )
  return rowCount ?? 0
}
