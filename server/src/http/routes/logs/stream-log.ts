import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { idMax, parseWholeNumber } from '#base/ids.ts'
import type { LogBatch } from '#domain/runs/subscriptions/read-batch.ts'
import type { Progress } from '#domain/runs/logs/notifier.ts'
import { streamLog, type LogEvent } from '#domain/runs/subscriptions/stream-log.ts'
import type { LiveText, LiveTool } from '#domain/runs/logs/live.ts'
import type { Run } from '#domain/runs/run.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { presentText, presentTool } from '#http/present/present-live.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'
import { ticketField } from '#http/schemas/fields.ts'
import { encodeOnce, eventStream, eventText, streamEvents } from '#http/pipeline/stream-events.ts'

export const streamLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/logs/stream`,
  operationId: 'streamLog',
  tag: 'Logs',
  summary: "Stream a run's log",
  description: `Server-sent events: \`status\` (the run: first, and whenever its status or status_detail changes), \`log\` (an entry; the event id is its \`seq\`), \`progress\` (\`{agent_run_id, tool_name, output}\`: the running tool and the last part of its output, also what it printed before the stream was opened), \`tool\` (a LiveTool: when a tool starts, and again when it has ended, after its log entries are sent), \`delta\` (a TextDelta: a piece of a thought or an answer as it is written), and \`end\` (the run) after the last entry of a turn that has ended. Then the stream closes. Open a new stream for the next turn. Only \`log\` and \`status\` events are complete. \`progress\`, \`tool\`, and \`delta\` events are not stored, and some may be skipped for slow clients. Ignore unknown events.`,
  policy: 'standard',
  access: 'read',
  takesTicket: true,
  params: RunParams,
  query: Type.Object({
    after_seq: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: idMax,
        description: 'Start after this sequence number. Default: 0, the whole log.',
      }),
    ),
    ...ticketField,
  }),
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(Type.String({ description: 'Same as `after_seq`, and takes precedence over it.' })),
  }),
  success: {
    status: 200,
    description: 'Events until the turn ends.',
    mediaType: eventStream,
    otherwiseEmpty: 'The run has ended and you already have its last entry. Do not reconnect.',
  },
  errors: ['run_not_found'],
  handle: async ({ app, params, query, caller, request, reply, deps }) => {
    const { subscriptions, publicUrl, telemetry } = app
    const cursor = readCursor(request.headers['last-event-id'], query.after_seq)
    const watched = await subscriptions.watchRun({ organizationId: params.org_id, runId: params.agent_run_id })
    try {
      if (cursor && cursor.after > watched.lastSeq) throw beyond(cursor, watched.lastSeq)
      if (cursor?.after && cursor.after === watched.lastSeq && hasEnded(watched.run)) return reply.code(204).send()
      using admission = subscriptions.admit({ credentialId: caller.credentialId, organizationId: params.org_id })
      await streamEvents({
        admission,
        request,
        reply,
        deps,
        events: async function* (signal) {
          const events = streamLog(subscriptions, { watched, after: cursor?.after ?? 0, signal })
          for await (const event of events) {
            if (event.type === 'log') telemetry.metrics.streamEntries.inc(event.batch.entries.length)
            yield bytesOf(event, publicUrl)
          }
        },
      })
    } finally {
      subscriptions.releaseRun(watched)
    }
  },
})

type Cursor = { loc: [string, string]; after: number }

function readCursor(header: string | string[] | undefined, afterSeq: number | undefined): Cursor | undefined {
  if (header === undefined) return afterSeq === undefined ? undefined : { loc: ['query', 'after_seq'], after: afterSeq }
  const loc: Cursor['loc'] = ['header', 'Last-Event-ID']
  const after = parseWholeNumber(String(header))
  if (after === undefined) throw refusal(loc, 'must be the number of an entry')
  return { loc, after }
}

const beyond = ({ loc }: Cursor, lastSeq: number) => refusal(loc, `lies beyond the last entry, which is ${lastSeq}`)

function refusal(loc: Cursor['loc'], msg: string): AppError {
  const message = `The request is not valid: ${loc.join('.')} ${msg}.`
  return new AppError('invalid_request', { message, detail: [{ loc, msg, type: 'cursor' }] })
}

function bytesOf(event: LogEvent, publicUrl: string): Uint8Array {
  if (event.type === 'log') return encodeBatch(event.batch, publicUrl)
  if (event.type === 'progress') return encodeProgress(event.progress, publicUrl)
  if (event.type === 'tool') return encodeTool(event.tool, publicUrl)
  if (event.type === 'text') return encodeText(event.text, publicUrl)
  return event.type === 'end' ? encodeEnd(event.run, publicUrl) : encodeStatus(event.run, publicUrl)
}

const runText = (event: string) => (run: Run, publicUrl: string) =>
  eventText({ event, data: JSON.stringify(presentRun(run, publicUrl)) })

export const encodeStatus = encodeOnce<Run>(runText('status'))
const encodeEnd = encodeOnce<Run>(runText('end'))
const encodeBatch = encodeOnce<LogBatch>(({ entries }) =>
  entries.map(({ seq, text }) => eventText({ event: 'log', id: seq, data: text })).join(''),
)
const encodeProgress = encodeOnce<Progress>(({ runId, toolName, output }) =>
  eventText({ event: 'progress', data: JSON.stringify({ agent_run_id: runId, tool_name: toolName, output }) }),
)
const encodeTool = encodeOnce<LiveTool>((tool) => eventText({ event: 'tool', data: JSON.stringify(presentTool(tool)) }))
const encodeText = encodeOnce<LiveText>((text) =>
  eventText({ event: 'delta', data: JSON.stringify(presentText(text)) }),
)
