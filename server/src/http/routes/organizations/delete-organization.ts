import { Type } from 'typebox'
import { deleteOrganization } from '#domain/accounts/deletions/delete-organization.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const deleteOrganizationRoute = defineRoute({
  method: 'DELETE',
  path: organizationPath,
  operationId: 'deleteOrganization',
  tag: 'Organizations',
  summary: 'Delete an organization',
  description:
    'Deletes the organization with its runs, repositories, members, tokens, secrets, usage and all else. Its tokens stop working immediately, its runs are cancelled, and its bytes are removed in the background. Accounts of members who belong to no other organization are deleted with it. `confirm` must be the exact name of the organization.',
  policy: 'standard',
  access: 'delete_organization',
  isInstanceWide: true,
  params: OrganizationParams,
  query: Type.Object({ confirm: Type.String({ maxLength: 200 }) }),
  success: { status: 204, description: 'Deleted.' },
  handle: ({ app, db, params, query }) =>
    deleteOrganization(db, app.tokenKeys, { organizationId: params.org_id, confirm: query.confirm }),
})
