import { Type } from 'typebox'
import { listSandboxes } from '#domain/runs/sandboxes/list-sandboxes.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentSandbox } from '#http/present/present-sandbox.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams, pageFields } from '#http/schemas/fields.ts'

export const listSandboxesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/sandboxes`,
  operationId: 'listSandboxes',
  tag: 'Sandboxes',
  summary: 'List sandboxes, newest first',
  description: 'Shows what ran where, and how limits were enforced.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({ ...pageFields, agent_run_id: Type.Optional(Id) }),
  success: { status: 200, description: 'A page of sandboxes.', component: 'SandboxPage' },
  handle: async ({ db, params, query }) => {
    const { skip, limit, agent_run_id: runId } = query
    const { items, total } = await listSandboxes(db, { organizationId: params.org_id, runId, skip, limit })
    return pageOf({ items: items.map(presentSandbox), total }, query)
  },
})
