import type { Role } from '#domain/organizations/roles.ts'

/** A person or a service account, as a member of one organization. */
export type User = {
  id: number
  email: string | null
  fullName: string | null
  avatarUrl: string | null
  kind: 'person' | 'service'
  role: Role
}

/** The user that a token speaks for. */
export type Me = User & {
  /** What its agents are told besides their prompts. */
  customPrompt: string | null
}

/** Columns of a `User`, in its names, from `users u join memberships m`. */
export const userColumns = `u.id, u.email, u.full_name as "fullName", u.avatar_url as "avatarUrl", u.kind, m.role`

export const userTables = 'users u join memberships m on m.user_id = u.id'
