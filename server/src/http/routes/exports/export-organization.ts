import { requirePermission } from '#domain/accounts/organizations/require-permission.ts'
import { sendExport } from '#http/exports/send-export.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const exportOrganizationRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/export`,
  operationId: 'exportOrganization',
  tag: 'Organizations',
  summary: 'Export an organization',
  description:
    'Everything that is stored of the organization, with all repositories and runs, as a `.tar.gz`: a file of JSON lines for each table, artifacts, images and logs of checks, and Git bundles of repositories on the built-in host. The last file is `manifest.json`; without it the archive is cut off. Values of secrets, tokens and keys are not in it.',
  policy: 'standard',
  access: 'export_data',
  isAudited: true,
  params: OrganizationParams,
  success: { status: 200, description: 'The archive.', mediaType: 'application/octet-stream' },
  handle: async ({ app, db, params, caller, request, reply }) => {
    const organizationId = params.org_id
    const requireThere = () => requirePermission(db, { ...caller, organizationId, permission: 'export_data' })
    const subject = {
      kind: 'organization',
      id: organizationId,
      organizationIds: [organizationId],
      requireThere,
    } as const
    return sendExport(db, { app, caller, request, reply, subject, name: `organization-${organizationId}` })
  },
})
