import { Type } from 'typebox'
import { isKnown } from '#http/is-known.ts'
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
  isTagged: true,
  handle: async ({ app, db, recent, params, query, request, reply }) => {
    const { skip, limit, reverse } = query
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const version = await recent.runs.version(ids)
    if (isKnown({ request, reply }, [version, app.publicUrl, skip, limit, reverse])) return ''
    // The run first: whoever then sees that it has ended also sees all of its log.
    const run = await recent.runs.get(db, { ...ids, version })
    const [from, to] = reverse
      ? [Math.max(1, run.logTotal - skip - limit + 1), run.logTotal - skip]
      : [skip + 1, Math.min(run.logTotal, skip + limit)]
    const entries = await recent.pages.get(db, { ...ids, from, to, reverse })
    const { total: total_logs, ...numbers } = pageNumbers(run.logTotal, { skip, limit })
    const rest = JSON.stringify({ ...presentRunHead(run, app.publicUrl), total_logs, ...numbers })
    // Entries are stored as the text that is sent: joined, never parsed.
    return Buffer.concat([Buffer.from(`${rest.slice(0, -1)},"logs":[`), entries, Buffer.from(']}')])
  },
})

/** The same at the address that clients of the alpha know. */
export const listLogAlphaRoute = {
  ...listLogRoute,
  path: listLogRoute.path.replace('/v1/', '/v1/alpha/'),
  operationId: 'listLogAlpha',
}
