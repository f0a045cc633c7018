import { listRunEgress } from '#domain/egress/list-run-egress.ts'
import { pageOf } from '#http/page-of.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { RunParams } from '#http/routes/runs/run-params.ts'
import { PageQuery } from '#http/schemas/fields.ts'

export const listRunEgressRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/egress`,
  operationId: 'listRunEgress',
  tag: 'Egress',
  summary: 'List what a run has asked of the network, and what it was told',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of requests, in their order.', component: 'EgressRequestPage' },
  errors: ['run_not_found'],
  handle: async ({ db, params, query }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const { items, total, asked, refused } = await listRunEgress(db, { ...ids, ...query })
    const shown = items.map(({ n, at, name, port, isAllowed, reason, sentBytes, receivedBytes }) => ({
      n,
      at: at.toISOString(),
      name,
      port,
      allowed: isAllowed,
      reason,
      sent_bytes: sentBytes,
      received_bytes: receivedBytes,
    }))
    return { ...pageOf({ items: shown, total }, query), asked, refused }
  },
})
