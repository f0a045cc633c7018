import { Type } from 'typebox'
import { listSandboxLog } from '#domain/runs/sandbox-logs/list-sandbox-log.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentSandboxCommand } from '#http/present/present-sandbox.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, PageQuery } from '#http/schemas/fields.ts'

export const listSandboxLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/sandboxes/:sandbox_id/logs`,
  operationId: 'listSandboxLog',
  tag: 'Sandboxes',
  summary: 'List commands that ran in a sandbox, oldest first',
  description: 'The most recent commands, each with the last part of its output. Secrets are removed.',
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
