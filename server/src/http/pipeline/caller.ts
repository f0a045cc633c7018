import type { Role } from '#domain/accounts/users/roles.ts'
import type { Principal } from '#domain/accounts/tokens/principal.ts'

/** Who sends a request, and what they are in the organization of its path, if it has one. */
export type Caller = Principal & { role: Role | null }
