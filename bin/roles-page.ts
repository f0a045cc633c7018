import {
  permissions,
  roleMay,
  roles,
  scopesOfRole,
  type Permission,
} from '../server/src/domain/accounts/users/roles.ts'
import { routes } from '../server/src/http/routes/index.ts'

const intro = `# Roles and scopes

Generated from \`server/src/domain/accounts/users/roles.ts\` by \`npm run generate\`. Do not edit.

A member of an organization has one role: MEMBER, MANAGER, or ADMIN. Each role includes the permissions of the ones before
it. The last ADMIN of an organization can't be removed or given another role.

A token has at most the permissions of its owner's role. You can limit it to a scope when you create it: \`read\`, \`run\`,
\`manage\`, or \`admin\`. Each scope includes the ones before it. A scope never adds permissions to a role. A token can't
create or rotate tokens with more scopes than its own.
`

/** docs/roles.md: what each role and each scope may do, and which endpoints ask for it. */
export function rolesPage(): string {
  const names = Object.keys(permissions) as Permission[]
  const scopes = [...roles].reverse().map((role) => [role, scopesOfRole(role).join(', ')])
  const rows = names.map((name) => [name, permissions[name].role, permissions[name].scope, permissions[name].about])
  const endpoints = names.flatMap((name) => {
    const asking = routes.filter(({ access }) => access === name).map(({ operationId }) => operationId)
    return asking.length ? [[name, asking.join(', ')]] : []
  })
  const byRole = [...roles].reverse().map((role) => [role, names.filter((name) => roleMay(role, name)).join(', ')])
  return [
    intro,
    '## Permissions\n',
    table(['Permission', 'Minimum role', 'Minimum scope', 'Allows'], rows),
    '## Permissions by role\n',
    table(['Role', 'Permissions'], byRole),
    '## Default scopes of a token\n',
    table(['Role of the token owner', 'Scopes'], scopes),
    '## Operations by permission\n',
    table(['Permission', 'Operations'], endpoints),
    'Two permissions are also checked outside of this table: `manage_all_tokens` for tokens of other users, and `push` by git.',
    '',
  ].join('\n')
}

/** Aligned as the formatter does it. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, n) => Math.max(...[head, ...rows].map((row) => (row[n] ?? title).length)))
  const line = (cells: string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n`
}
