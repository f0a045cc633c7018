import { Type } from 'typebox'
import { createOrganization } from '#domain/accounts/organizations/create-organization.ts'
import { presentOrganization } from '#http/present/present-organization.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { Text } from '#http/schemas/fields.ts'

export const createOrganizationRoute = defineRoute({
  method: 'POST',
  path: '/v1/organizations',
  operationId: 'createOrganization',
  tag: 'Organizations',
  summary: 'Create an organization',
  description: 'Only for instance admins. The creator becomes its ADMIN.',
  policy: 'standard',
  access: 'instance_admin',
  body: Type.Object({ name: Text(200) }),
  success: { status: 201, description: 'The organization.', component: 'Organization' },
  handle: async ({ db, body, caller }) => {
    return presentOrganization(await createOrganization(db, { name: body.name, userId: caller.userId }))
  },
})
