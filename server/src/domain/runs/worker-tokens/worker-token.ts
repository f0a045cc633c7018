/** By which remote workers are let in, without its secret. */
export type WorkerToken = {
  id: number
  /** Whose runs alone they may take; null: those of all organizations. */
  organizationId: number | null
  name: string
  /** How its secret begins and ends. */
  prefix: string
  last4: string
  /** The labels that they may have; null: any. */
  labels: string[] | null
  /** Null: the operator of the service. */
  createdBy: number | null
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** Columns of a `WorkerToken`, in its names. */
export const workerTokenColumns =
  'id, organization_id, name, prefix, last4, labels, created_by, created_at, expires_at, last_used_at'

/** Of one organization, and of the operator for all. */
export const workerTokensMax = 100
