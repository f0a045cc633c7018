import { listArtifacts } from '#domain/runs/artifacts/list-artifacts.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'
import { PageQuery } from '#http/schemas/fields.ts'

export const listArtifactsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/artifacts`,
  operationId: 'listArtifacts',
  tag: 'Artifacts',
  summary: 'List the artifacts of a run, by name',
  description:
    'Includes the full text of values that were too long for their log entry. The log entry names the file, such as `log-12-tool_output.txt`.',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of files.', component: 'ArtifactPage' },
  errors: ['run_not_found'],
  handle: async ({ db, params, query }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const page = await listArtifacts(db, { ...ids, ...query })
    const items = page.items.map(({ name, bytes, contentType, createdAt }) => ({
      name,
      bytes,
      content_type: contentType,
      created_at: createdAt.toISOString(),
    }))
    return pageOf({ items, total: page.total }, query)
  },
})
