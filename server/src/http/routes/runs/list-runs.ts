import { Type } from 'typebox'
import { listRuns } from '#domain/runs/runs/list-runs.ts'
import { runStatuses, sourceTypes } from '#domain/runs/run.ts'
import { readEngineName } from '#http/input/engine-name.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentRun } from '#http/present/present-run.ts'
import { readTime } from '#http/input/read-time.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams, pageFields, Word } from '#http/schemas/fields.ts'

export const listRunsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/runs`,
  operationId: 'listRuns',
  tag: 'Runs',
  summary: 'List runs, newest first',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({
    ...pageFields,
    user_id: Type.Optional(Id),
    source_type: Type.Optional(Word(sourceTypes)),
    status: Type.Optional(
      Type.Array(Word(runStatuses), {
        description: 'Matches any of these values. Repeat the parameter for more than one.',
      }),
    ),
    repo_id: Type.Optional(Id),
    parent_run_id: Type.Optional(Id),
    agent_type: Type.Optional(
      Type.String({ description: 'The engine, by any of its names: `codegen` and `builtin` match the same runs.' }),
    ),
    created_after: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive.' })),
    created_before: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
    q: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Text to search for in the prompt, title, and result.' }),
    ),
    archived: Type.Optional(
      Type.Boolean({
        description: 'Whether to list archived runs. By default, only runs that are not archived are listed.',
      }),
    ),
  }),
  success: { status: 200, description: 'A page of runs.', component: 'AgentRunPage' },
  handle: async ({ app, db, params, query }) => {
    const { skip, limit, agent_type: agentType } = query
    const page = await listRuns(db, {
      organizationId: params.org_id,
      skip,
      limit,
      filters: {
        userId: query.user_id,
        sourceType: query.source_type,
        status: query.status,
        repoId: query.repo_id,
        parentRunId: query.parent_run_id,
        agentType: agentType === undefined ? undefined : readEngineName(app.engines, agentType),
        createdAfter: readTime(['query', 'created_after'], query.created_after),
        createdBefore: readTime(['query', 'created_before'], query.created_before),
        q: query.q,
        archived: query.archived,
      },
    })
    const items = page.items.map((run) => presentRun(run, app.publicUrl))
    return pageOf({ items, total: page.total }, { skip, limit })
  },
})
