import { Type } from 'typebox'
import { messageTypes, type MessageType } from '#base/entry.ts'
import { AppError } from '#base/errors.ts'
import { idMax } from '#base/ids.ts'
import { listLog } from '#domain/runs/logs/list-log.ts'
import { answerTagged } from '#http/pipeline/answer-tagged.ts'
import type { JsonOf } from '#http/pipeline/json-of.ts'
import { pageNumbers } from '#http/pipeline/page-of.ts'
import { presentRunHead } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, pageFields, Word } from '#http/schemas/fields.ts'
import type { Components } from '#http/schemas/index.ts'

type RunWithLogs = Components['AgentRunWithLogsResponse']

export const listLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/logs`,
  operationId: 'listLog',
  tag: 'Logs',
  summary: 'Get a run with a page of its log',
  description:
    'Advance `skip` by `limit` as long as you get full pages; a shorter page is the last one. If you filter by `message_type`, page with `after_seq` instead. `total_logs` always counts all log entries of the run.',
  policy: 'logs',
  access: 'read',
  isAlpha: true,
  params: Type.Object({ org_id: Id, agent_run_id: Id }),
  query: Type.Object({
    ...pageFields,
    reverse: Type.Optional(Type.Boolean({ description: 'Newest first. `skip` then counts from the newest entry.' })),
    after_seq: Type.Optional(
      Type.Integer({ minimum: 0, maximum: idMax, description: 'Only entries after this sequence number.' }),
    ),
    message_type: Type.Optional(
      Type.Array(Word(messageTypes), {
        description: 'Matches any of these values. Repeat the parameter for more than one.',
      }),
    ),
  }),
  success: { status: 200, description: 'The run and a page of its log.', component: 'AgentRunWithLogsResponse' },
  errors: ['run_not_found'],
  isTagged: true,
  handle: async ({ app, db, recent, params, query, request, reply }) => {
    checkPaging(query)
    const { skip, limit, reverse, after_seq: afterSeq, message_type: types = [] } = query
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const version = await recent.runs.version(ids)
    const make = async () => {
      // The run first: whoever then sees that it has ended also sees all of its log.
      const run = await recent.runs.get(db, { ...ids, version })
      // Numbers have no hole, so what comes after an entry is what comes after as many.
      const before = Math.min(afterSeq ?? skip, run.logTotal)
      const [from, to] = reverse
        ? [Math.max(1, run.logTotal - before - limit + 1), run.logTotal - before]
        : [before + 1, Math.min(run.logTotal, before + limit)]
      const { total: total_logs, ...numbers } = pageNumbers(run.logTotal, { skip, limit })
      const head: Omit<RunWithLogs, 'logs'> = { ...presentRunHead(run, app.publicUrl), total_logs, ...numbers }
      // Entries are stored as the text that is sent: joined, never parsed.
      const frame = { before: `${JSON.stringify(head).slice(0, -1)},"logs":[`, after: ']}' }
      if (!types.length) return (await recent.pages.get({ ...ids, from, to, reverse }, frame)) as JsonOf<RunWithLogs>
      const found = await listLog(db, {
        ...ids,
        blobs: app.blobs,
        messageTypes: types,
        afterSeq: before,
        limit,
        reverse,
      })
      return `${frame.before}${found.join()}${frame.after}` as JsonOf<RunWithLogs>
    }
    const madeOf = ['log', ids.runId, version, app.publicUrl, skip, limit, reverse, afterSeq, ...types]
    return answerTagged({ request, reply, recent }, { madeOf, make })
  },
})

type Paging = {
  skip: number
  reverse?: boolean | undefined
  after_seq?: number | undefined
  message_type?: MessageType[] | undefined
}

/** Throws `invalid_request` for ways to page that do not go together. */
function checkPaging({ skip, reverse, after_seq: afterSeq, message_type: types }: Paging): void {
  const refused = (field: string, msg: string) => {
    const detail = [{ loc: ['query', field], msg, type: 'value' }]
    return new AppError('invalid_request', { message: `query.${field} ${msg}.`, detail })
  }
  if (skip > 0 && types?.length) throw refused('skip', 'cannot be given with message_type: page with after_seq')
  if (skip > 0 && afterSeq !== undefined) throw refused('skip', 'cannot be given with after_seq')
  if (reverse && afterSeq !== undefined) throw refused('reverse', 'cannot be given with after_seq')
}

/** The same at the address that clients of the alpha know. */
export const listLogAlphaRoute = {
  ...listLogRoute,
  path: listLogRoute.path.replace('/v1/', '/v1/alpha/'),
  operationId: 'listLogAlpha',
}
