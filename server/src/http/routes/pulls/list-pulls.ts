import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { listPulls } from '#domain/hosts/pulls/list-pulls.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Ordinal, OrganizationParams, pageFields, Text, Word } from '#http/schemas/fields.ts'

export const listPullsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs`,
  operationId: 'listPulls',
  tag: 'Pull requests',
  summary: 'List pull requests, newest first',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({
    repo_id: Type.Optional(Id),
    run_id: Type.Optional(Type.Integer({ ...Id, description: 'Only pull requests opened by this run.' })),
    number: Type.Optional(Ordinal),
    state: Type.Optional(Word(['open', 'closed'])),
    label: Type.Optional(Text(limits.pullLabelCharactersMax)),
    ...pageFields,
  }),
  success: { status: 200, description: 'A page of pull requests.', component: 'PullRequestPage' },
  handle: async ({ app, db, params, query }) => {
    const { repo_id: repoId, run_id: runId, ...rest } = query
    const { items, total } = await listPulls(db, { organizationId: params.org_id, repoId, runId, ...rest })
    return pageOf({ items: items.map((pull) => presentPull(pull, app.publicUrl)), total }, query)
  },
})
