import { permissions, roleMay, roles, scopesOfRole, type Permission } from '../server/src/domain/organizations/roles.ts'
import { routes } from '../server/src/http/routes/index.ts'

const intro = `# Roles and scopes

Generated from \`server/src/domain/organizations/roles.ts\` by "npm run generate". Do not edit.

A member of an organization has one role. Each may what those before it may: MEMBER, MANAGER, ADMIN. The last ADMIN of an
organization can be neither removed nor given another role.

A token may what its owner's role may, or less: it can be narrowed to a scope when it is made. Each scope takes in those
before it: \`read\`, \`run\`, \`manage\`, \`admin\`. A scope never adds to a role. A token makes and rotates none that is
wider than itself.
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
    '## What may be done\n',
    table(['Permission', 'Least role', 'Least scope', 'What it is'], rows),
    '## What each role may\n',
    table(['Role', 'Permissions'], byRole),
    '## Scopes of a token that was made without naming any\n',
    table(["Role of the token's owner", 'Scopes'], scopes),
    '## Which endpoints ask for it\n',
    table(['Permission', 'Operations'], endpoints),
    'Two permissions are looked at within an endpoint: `manage_all_tokens` where a token is somebody else’s, and `push` by git.',
    '',
  ].join('\n')
}

/** Aligned as the formatter does it. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, n) => Math.max(...[head, ...rows].map((row) => (row[n] ?? title).length)))
  const line = (cells: string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n`
}
