import { Type } from 'typebox'
import { getSandbox } from '#domain/runs/sandboxes/get-sandbox.ts'
import { presentSandbox } from '#http/present/present-sandbox.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const getSandboxRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/sandboxes/:sandbox_id`,
  operationId: 'getSandbox',
  tag: 'Sandboxes',
  summary: 'Get a sandbox',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, sandbox_id: Id }),
  success: { status: 200, description: 'The sandbox.', component: 'Sandbox' },
  errors: ['sandbox_not_found'],
  handle: async ({ db, params }) => {
    return presentSandbox(await getSandbox(db, { organizationId: params.org_id, sandboxId: params.sandbox_id }))
  },
})
