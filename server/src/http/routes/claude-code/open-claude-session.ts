import { Type } from 'typebox'
import { openOutsideSession } from '#domain/runs/outside-sessions/open-outside-session.ts'
import { presentOutsideSession } from '#http/present/present-outside-session.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { SessionId } from '#http/schemas/outside-session.ts'

export const openClaudeSessionRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/claude_code/session`,
  operationId: 'openClaudeSession',
  tag: 'Claude Code sessions',
  summary: 'Report the start of a Claude Code session on your machine',
  description:
    'It is shown as a run of the source `CLI`, of which your program reports. No worker executes it, and what its models cost is not known here. Reporting its start again changes nothing.',
  policy: 'standard',
  access: 'use_agents',
  params: OrganizationParams,
  body: Type.Object({ session_id: SessionId }),
  success: { status: 200, description: 'The session and its run.', component: 'OutsideSession' },
  errors: ['budget_reached', 'sandbox_too_weak'],
  handle: async ({ app, db, params, body, caller }) => {
    const sessionId = body.session_id
    const ids = { organizationId: params.org_id, userId: caller.userId, sessionId }
    const run = await openOutsideSession(db, { ...ids, agentType: 'claude_code' })
    return presentOutsideSession(run, { sessionId, publicUrl: app.publicUrl })
  },
})
