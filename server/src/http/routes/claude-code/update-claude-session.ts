import { Type } from 'typebox'
import { sessionStatuses, updateOutsideSession } from '#domain/runs/outside-sessions/update-outside-session.ts'
import { presentOutsideSession } from '#http/present/present-outside-session.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Word } from '#http/schemas/fields.ts'
import { SessionParams } from '#http/schemas/outside-session.ts'

export const updateClaudeSessionRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/claude_code/session/:session_id/status`,
  operationId: 'updateClaudeSession',
  tag: 'Claude Code sessions',
  summary: 'Report where a session stands',
  description:
    '`ACTIVE`: it works, in the next turn of its run if the last one has ended. `COMPLETE`: it has answered. `ERROR`: it has failed. A session that is silent for 12 hours fails as `stuck`.',
  policy: 'standard',
  access: 'use_agents',
  params: SessionParams,
  body: Type.Object({ status: Word(sessionStatuses) }),
  success: { status: 200, description: 'The session and its run.', component: 'OutsideSession' },
  errors: ['run_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const { org_id: organizationId, session_id: sessionId } = params
    const ids = { organizationId, userId: caller.userId, sessionId }
    const run = await updateOutsideSession(db, { ...ids, status: body.status, mask: app.redactors.own.mask })
    return presentOutsideSession(run, { sessionId, publicUrl: app.publicUrl })
  },
})
