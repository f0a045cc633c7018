import { one, rows, type Db } from '#db/pool.ts'
import { auditColumns, type AuditEntry } from './audit-entry.ts'

export type ListAuditEntries = {
  organizationId: number
  skip: number
  limit: number
  /** Only those by this user, of this operation, since and before these times. */
  userId?: number | undefined
  action?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Those of an organization, newest first. */
export async function listAuditEntries(
  db: Db,
  { organizationId, skip, limit, userId, action, from, to }: ListAuditEntries,
): Promise<{ items: AuditEntry[]; total: number }> {
  const which = `organization_id = $1 and ($2::bigint is null or user_id = $2) and ($3::text is null or action = $3)
    and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)`
  const values = [organizationId, userId, action, from, to]
  const { total } = await one<{ total: number }>(
    db,
    `select count(*) as total from audit_entries where ${which}`,
    values,
  )
  const items = await rows<AuditEntry>(
    db,
    `select ${auditColumns} from audit_entries where ${which} order by id desc limit $6 offset $7`,
    [...values, limit, skip],
  )
  return { items, total }
}
