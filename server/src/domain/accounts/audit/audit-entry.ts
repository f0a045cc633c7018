import type { JsonObject } from '#base/json.ts'

/** A request that was to change something in an organization. */
export type AuditEntry = {
  id: number
  at: Date
  /** The operation, as the API calls it. */
  action: string
  userId: number
  credentialId: number
  address: string
  requestId: string
  /** What the path names. */
  named: JsonObject
  /** The fields that were given; of texts only that they were. */
  changed: JsonObject
  /** Of the answer. Null: not answered yet, or never. */
  status: number | null
}

/** Columns of an `AuditEntry`, in its names. */
export const auditColumns = 'id, at, action, user_id, credential_id, address, request_id, named, changed, status'
