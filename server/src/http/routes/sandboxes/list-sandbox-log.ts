import { Type } from 'typebox'
import { listSandboxLog } from '#domain/sandbox-logs/list-sandbox-log.ts'
import { pageOf } from '#http/page-of.ts'
import { presentSandboxCommand } from '#http/present/present-sandbox.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Id, PageQuery } from '#http/schemas/fields.ts'

export const listSandboxLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/sandboxes/:sandbox_id/logs`,
  operationId: 'listSandboxLog',
  tag: 'Sandboxes',
  summary: 'List what ran in a sandbox, the oldest first',
  description: 'Its newest commands, each with the end of what it printed. Secrets are taken out.',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, sandbox_id: Id }),
  query: PageQuery,
  success: { status: 200, description: 'A page of commands.', component: 'SandboxCommandPage' },
  errors: ['sandbox_not_found'],
  handle: async ({ db, params, query }) => {
    const ids = { organizationId: params.org_id, sandboxId: params.sandbox_id }
    const { items, total } = await listSandboxLog(db, { ...ids, ...query })
    return pageOf({ items: items.map(presentSandboxCommand), total }, query)
  },
})
