import type { AuditEntry } from '#domain/accounts/audit/audit-entry.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentAuditEntry(entry: AuditEntry): Components['AuditEntry'] {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    user_id: entry.userId,
    credential_id: entry.credentialId,
    address: entry.address,
    request_id: entry.requestId,
    named: entry.named,
    changed: entry.changed,
    status: entry.status,
  }
}
