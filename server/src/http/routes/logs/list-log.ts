import { Type } from 'typebox'
import { listLog } from '#domain/logs/list-log.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { pageNumbers } from '#http/page-of.ts'
import { presentRunHead } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Id, pageFields } from '#http/schemas/fields.ts'

export const listLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/logs`,
  operationId: 'listLog',
  tag: 'Logs',
  summary: 'Read a run with a page of its log',
  description: 'Advance `skip` by `limit` while a full page comes back; a shorter page is the last.',
  policy: 'logs',
  access: 'read',
  isAlpha: true,
  params: Type.Object({ org_id: Id, agent_run_id: Id }),
  query: Type.Object({
    ...pageFields,
    reverse: Type.Optional(Type.Boolean({ description: 'The newest first; `skip` then counts from the newest.' })),
  }),
  success: { status: 200, description: 'The run and a page of its log.', component: 'AgentRunWithLogsResponse' },
  errors: ['run_not_found'],
  handle: async ({ app, db, params, query }) => {
    const { skip, limit, reverse } = query
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    // The run first: whoever then sees that it has ended also sees all of its log.
    const run = await getRun(db, ids)
    const { entries, total } = await listLog(db, { ...ids, skip, limit, reverse })
    const { total: total_logs, ...numbers } = pageNumbers(total, { skip, limit })
    const rest = JSON.stringify({ ...presentRunHead(run, app.publicUrl), total_logs, ...numbers })
    // Entries are stored as the text that is sent: joined, never parsed.
    return `${rest.slice(0, -1)},"logs":[${entries.join(',')}]}`
  },
})

/** The same at the address that clients of the alpha know. */
export const listLogAlphaRoute = {
  ...listLogRoute,
  path: listLogRoute.path.replace('/v1/', '/v1/alpha/'),
  operationId: 'listLogAlpha',
}
