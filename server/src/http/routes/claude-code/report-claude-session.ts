import { Type } from 'typebox'
import { reportOutsideSession } from '#domain/runs/outside-sessions/report-outside-session.ts'
import { readSessionLine } from '#http/input/read-session-line.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { AnyObject } from '#http/schemas/fields.ts'
import { SessionParams } from '#http/schemas/outside-session.ts'

export const reportClaudeSessionRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/claude_code/session/:session_id/log`,
  operationId: 'reportClaudeSession',
  tag: 'Claude Code sessions',
  summary: 'Report what happened in a session',
  description:
    'Takes a line of the log that Claude Code keeps. Prompts, tool calls with their results, and answers become log entries of the run; other lines are accepted and dropped.',
  // Its program sends a request for each line, and none of them again.
  policy: 'session',
  access: 'use_agents',
  params: SessionParams,
  body: Type.Object({ log: AnyObject({ description: 'The line, parsed.' }) }),
  success: { status: 200, description: 'What has become of it.', component: 'SessionReport' },
  errors: ['run_not_found', 'conflict', 'storage_full'],
  handle: async ({ app, db, params, body, caller }) => {
    const { org_id: organizationId, session_id: sessionId } = params
    const { runId, entries } = await reportOutsideSession(db, {
      organizationId,
      userId: caller.userId,
      sessionId,
      parts: readSessionLine(body.log),
      mask: app.redactors.own.mask,
    })
    return { agent_run_id: runId, entries }
  },
})
