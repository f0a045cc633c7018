import { one, type Db } from '#db/pool.ts'
import type { AuditEntry } from './audit-entry.ts'

export type BeginAuditEntry = { organizationId: number } & Omit<AuditEntry, 'id' | 'at' | 'status'>

/** Writes down what is about to be done. Answers the number of the entry. */
export async function beginAuditEntry(db: Db, entry: BeginAuditEntry): Promise<number> {
  const { id } = await one<{ id: number }>(
    db,
    `insert into audit_entries (organization_id, action, user_id, credential_id, address, request_id, named, changed)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      entry.organizationId,
      entry.action,
      entry.userId,
      entry.credentialId,
      entry.address,
      entry.requestId,
      entry.named,
      entry.changed,
    ],
  )
  return id
}
