import type { Role, Scope } from '#domain/accounts/users/roles.ts'

/** Who a token, or a browser that has signed in with it, speaks for. */
export type Principal = {
  userId: number
  credentialId: number
  /** The only organization it works in; null: all of its user's. */
  organizationId: number | null
  /** May make organizations. A token that is bound to one may not, whoever owns it. */
  isInstanceAdmin: boolean
  /** What the token is narrowed to, all that this takes in included. */
  scopes: Scope[]
  kind: 'token' | 'session'
  /** What its user was seen to be in organizations; forgotten with the principal itself, which is within a second. */
  rolesSeen: Map<number, Role>
}
