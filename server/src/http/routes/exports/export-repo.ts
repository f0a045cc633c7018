import { Type } from 'typebox'
import { requirePermission } from '#domain/accounts/organizations/require-permission.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { sendExport } from '#http/exports/send-export.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const exportRepoRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/export`,
  operationId: 'exportRepo',
  tag: 'Repositories',
  summary: 'Export a repository',
  description:
    'The repository and all that belongs to it but its runs, as a `.tar.gz`: a file of JSON lines for each table, logs of checks, and, if it is on the built-in host, a Git bundle and its large files. The last file is `manifest.json`; without it the archive is cut off. Values of secrets are not in it.',
  policy: 'standard',
  access: 'export_data',
  isAudited: true,
  params: Type.Object({ org_id: Id, repo_id: Id }),
  success: { status: 200, description: 'The archive.', mediaType: 'application/octet-stream' },
  errors: ['repo_not_found'],
  handle: async ({ app, db, params, caller, request, reply }) => {
    const ids = { organizationId: params.org_id, repoId: params.repo_id }
    const requireThere = async () => {
      await requirePermission(db, { ...caller, ...ids, permission: 'export_data' })
      await getRepo(db, ids)
    }
    await requireThere()
    const subject = { kind: 'repo', id: ids.repoId, organizationIds: [ids.organizationId], requireThere } as const
    return sendExport(db, { app, caller, request, reply, subject, name: `repository-${ids.repoId}` })
  },
})
