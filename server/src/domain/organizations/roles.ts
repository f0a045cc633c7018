export const roles = ['ADMIN', 'MANAGER', 'MEMBER'] as const
export type Role = (typeof roles)[number]

/** What may be done in an organization, and the least role that may do it. Every check reads this table. */
export const permissions = {
  read: 'MEMBER',
  use_agents: 'MEMBER',
  use_git: 'MEMBER',
  manage_own_tokens: 'MEMBER',
  manage_repos: 'MANAGER',
  manage_integrations: 'MANAGER',
  manage_members: 'ADMIN',
  manage_all_tokens: 'ADMIN',
} as const satisfies Record<string, Role>

export type Permission = keyof typeof permissions

const ranks: Record<Role, number> = { MEMBER: 1, MANAGER: 2, ADMIN: 3 }

/** Null: no member at all. */
export function may(role: Role | null, permission: Permission): boolean {
  return role !== null && ranks[role] >= ranks[permissions[permission]]
}
