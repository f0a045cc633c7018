import { listMessages } from '#domain/runs/messages/list-messages.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentMessage } from '#http/present/present-message.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'
import { PageQuery } from '#http/schemas/fields.ts'

export const listMessagesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/messages`,
  operationId: 'listMessages',
  tag: 'Messages',
  summary: 'List messages to a run, oldest first',
  description: '`taken_seq` is null for messages that the agent has not read yet.',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of messages.', component: 'MessagePage' },
  errors: ['run_not_found'],
  handle: async ({ db, params, query }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const { items, total } = await listMessages(db, { ...ids, ...query })
    return pageOf({ items: items.map(presentMessage), total }, query)
  },
})
