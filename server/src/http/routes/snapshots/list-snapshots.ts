import { Type } from 'typebox'
import { listSnapshots } from '#domain/runs/snapshots/list-snapshots.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentSnapshot } from '#http/present/present-snapshot.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, PageQuery } from '#http/schemas/fields.ts'

export const listSnapshotsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/snapshots`,
  operationId: 'listSnapshots',
  tag: 'Repositories',
  summary: 'List snapshots of a repository, newest first',
  description:
    "Work trees of runs and checks start from a snapshot, so the setup commands run only once, until the commands, a lock file, or the machine's own programs change.",
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  query: PageQuery,
  success: { status: 200, description: 'A page of snapshots.', component: 'SnapshotPage' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, query }) => {
    const ids = { organizationId: params.org_id, repoId: params.repo_id }
    const { items, total } = await listSnapshots(db, { ...ids, ...query })
    return pageOf({ items: items.map(presentSnapshot), total }, query)
  },
})
