import type { Scope } from '#domain/accounts/users/roles.ts'

/** A token of a person or a service account, without its secret. */
export type Token = {
  id: number
  name: string | null
  userId: number
  /** How its secret begins and ends. */
  prefix: string
  last4: string
  scopes: Scope[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

/** Columns of a `Token`, in its names, from `credentials c`. */
export const tokenColumns = `c.id, c.name, c.user_id, c.prefix, c.last4, c.scopes, c.created_at,
  c.last_used_at, c.expires_at`
