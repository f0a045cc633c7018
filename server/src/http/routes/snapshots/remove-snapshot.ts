import { Type } from 'typebox'
import { removeSnapshot } from '#domain/snapshots/remove-snapshot.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Id, Ordinal } from '#http/schemas/fields.ts'

export const removeSnapshotRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id/snapshots/:n`,
  operationId: 'removeSnapshot',
  tag: 'Repositories',
  summary: 'Remove what a setup has left',
  description: 'The next run or check that needs it runs the setup commands anew. Those at work keep what they have.',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id, n: Ordinal }),
  success: { status: 204, description: 'Gone.' },
  errors: ['repo_not_found', 'snapshot_not_found'],
  handle: async ({ db, params }) => {
    await removeSnapshot(db, { organizationId: params.org_id, repoId: params.repo_id, n: params.n })
  },
})
