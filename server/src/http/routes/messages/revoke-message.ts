import { revokeMessage } from '#domain/runs/messages/revoke-message.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { MessageParams } from './message-params.ts'

export const revokeMessageRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/agent/run/:agent_run_id/messages/:n`,
  operationId: 'revokeMessage',
  tag: 'Messages',
  summary: 'Withdraw a message that the agent has not read',
  policy: 'standard',
  access: 'use_agents',
  params: MessageParams,
  success: { status: 204, description: 'The message was withdrawn.' },
  errors: ['run_not_found', 'message_not_found', 'conflict'],
  handle: async ({ db, params }) => {
    await revokeMessage(db, { organizationId: params.org_id, runId: params.agent_run_id, n: params.n })
  },
})
