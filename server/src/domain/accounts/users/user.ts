import type { Role } from './roles.ts'

/** A person or a service account, as a member of one organization. */
export type User = {
  id: number
  email: string | null
  fullName: string | null
  avatarUrl: string | null
  kind: 'person' | 'service'
  role: Role
  /** Who it is on GitHub; null where nobody has said so. */
  github: { id: string; login: string } | null
}

/** The user that a token speaks for. */
export type Me = User & {
  /** What its agents are told besides their prompts. */
  customPrompt: string | null
}

/** Columns of a `User`, in its names, from `users u join memberships m`. */
export const userColumns = `u.id, u.email, u.full_name, u.avatar_url, u.kind, m.role,
  (select json_build_object('id', a.host_user_id, 'login', a.login) from host_accounts a
    where a.organization_id = m.organization_id and a.user_id = u.id and a.host ~ '^github(:|$)' order by a.host limit 1) as github`

export const userTables = 'users u join memberships m on m.user_id = u.id'
