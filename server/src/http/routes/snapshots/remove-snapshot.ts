import { Type } from 'typebox'
import { removeSnapshot } from '#domain/runs/snapshots/remove-snapshot.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Ordinal } from '#http/schemas/fields.ts'

export const removeSnapshotRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id/snapshots/:n`,
  operationId: 'removeSnapshot',
  tag: 'Repositories',
  summary: 'Remove a snapshot',
  description:
    'The next run or check that needs the snapshot runs the setup commands again. Those in progress are not affected.',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id, n: Ordinal }),
  success: { status: 204, description: 'Removed.' },
  errors: ['repo_not_found', 'snapshot_not_found'],
  handle: async ({ db, params }) => {
    await removeSnapshot(db, { organizationId: params.org_id, repoId: params.repo_id, n: params.n })
  },
})
