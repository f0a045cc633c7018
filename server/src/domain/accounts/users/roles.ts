export const roles = ['ADMIN', 'MANAGER', 'MEMBER'] as const
export type Role = (typeof roles)[number]

/** What a token may be narrowed to, narrow first; each takes in those before it. */
export const scopes = ['read', 'run', 'manage', 'admin'] as const
export type Scope = (typeof scopes)[number]

type Need = { role: Role; scope: Scope; about: string }

/**
 * What may be done in an organization: the least role that may do it, and the least scope that a token needs for it.
 * Every check reads this table, and docs/roles.md is written from it.
 */
export const permissions = {
  read: {
    role: 'MEMBER',
    scope: 'read',
    about: 'View everything except secrets and other people’s tokens; clone repositories.',
  },
  use_agents: {
    role: 'MEMBER',
    scope: 'run',
    about: 'Start runs, send follow-ups, cancel runs, and delete those you started.',
  },
  push: { role: 'MEMBER', scope: 'run', about: 'Push to repositories on the built-in host.' },
  edit_pulls: { role: 'MEMBER', scope: 'run', about: 'Open, edit, close, and comment on issues and pull requests.' },
  manage_profile: {
    role: 'MEMBER',
    scope: 'manage',
    about: 'Change your own name, prompt, inbox, and saved views; leave; export or delete your account.',
  },
  manage_own_tokens: {
    role: 'MEMBER',
    scope: 'manage',
    about: 'Create, list, rotate, and revoke your own tokens; set and remove your own keys for model providers.',
  },
  manage_repos: { role: 'MANAGER', scope: 'manage', about: 'Add and configure repositories.' },
  merge_pulls: {
    role: 'MANAGER',
    scope: 'manage',
    about: 'Merge pull requests, and delete their branches afterwards.',
  },
  manage_secrets: { role: 'MANAGER', scope: 'manage', about: 'List, set, and remove secrets.' },
  manage_integrations: { role: 'MANAGER', scope: 'manage', about: 'Connect code hosts and model providers.' },
  manage_rules: { role: 'MANAGER', scope: 'manage', about: 'Edit the rules for agents.' },
  manage_members: { role: 'ADMIN', scope: 'admin', about: 'Add and remove members, and change their roles.' },
  manage_all_tokens: { role: 'ADMIN', scope: 'admin', about: 'Create, list, rotate, and revoke everyone’s tokens.' },
  manage_budgets: { role: 'ADMIN', scope: 'admin', about: 'Manage budgets.' },
  manage_mcp_servers: { role: 'ADMIN', scope: 'admin', about: 'Add, change, try, and remove MCP servers.' },
  manage_model_providers: { role: 'ADMIN', scope: 'admin', about: 'Add, change, try, and remove model providers.' },
  manage_workers: {
    role: 'ADMIN',
    scope: 'admin',
    about: 'Create, list, and revoke tokens of the organization’s own workers.',
  },
  install_engines: {
    role: 'ADMIN',
    scope: 'admin',
    about: 'Have engines installed and updated, where the operator allows it.',
  },
  read_audit: { role: 'ADMIN', scope: 'admin', about: 'See who changed what.' },
  export_data: { role: 'ADMIN', scope: 'admin', about: 'Export repositories and the organization.' },
  delete_all_runs: { role: 'ADMIN', scope: 'admin', about: 'Delete everyone’s runs.' },
  delete_organization: { role: 'ADMIN', scope: 'admin', about: 'Delete the organization.' },
  manage_settings: { role: 'ADMIN', scope: 'admin', about: 'Change the organization’s name, settings, and limits.' },
} as const satisfies Record<string, Need>

export type Permission = keyof typeof permissions

/** What a caller is in the organization (null: no member at all), and what its token is narrowed to. */
export type Holder = { role: Role | null; scopes: readonly Scope[] }

const ranks: Record<Role, number> = { MEMBER: 1, MANAGER: 2, ADMIN: 3 }

export function may({ role, scopes: held }: Holder, permission: Permission): boolean {
  return roleMay(role, permission) && held.includes(permissions[permission].scope)
}

export function roleMay(role: Role | null, permission: Permission): boolean {
  return role !== null && ranks[role] >= ranks[permissions[permission].role]
}

/** The scopes with which a role can do anything at all. */
export function scopesOfRole(role: Role): Scope[] {
  const reached = Object.keys(permissions) as Permission[]
  return scopes.filter((scope) => reached.some((name) => permissions[name].scope === scope && roleMay(role, name)))
}

/** The given scopes and all that they take in. */
export function widenScopes(options: readonly Scope[]): Scope[] {
  return scopes.slice(0, Math.max(...options.map((scope) => scopes.indexOf(scope))) + 1)
}
