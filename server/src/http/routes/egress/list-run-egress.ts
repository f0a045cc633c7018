import { Type } from 'typebox'
import { listEgress, type ListEgress } from '#domain/runs/egress/list-egress.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { getSandbox } from '#domain/runs/sandboxes/get-sandbox.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import type { HttpDb } from '#http/pipeline/deps.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'
import { Id, PageQuery } from '#http/schemas/fields.ts'

const success = {
  status: 200,
  description: 'A page of requests, in order.',
  component: 'EgressRequestPage',
} as const

export const listRunEgressRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/egress`,
  operationId: 'listRunEgress',
  tag: 'Egress',
  summary: 'List network requests of a run and their outcomes',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  query: PageQuery,
  success,
  errors: ['run_not_found'],
  handle: async ({ db, params, query }) => {
    const run = { organizationId: params.org_id, runId: params.agent_run_id }
    await getRun(db, run)
    return answerPage(db, { organizationId: params.org_id, of: run, ...query })
  },
})

export const listSandboxEgressRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/sandboxes/:sandbox_id/egress`,
  operationId: 'listSandboxEgress',
  tag: 'Egress',
  summary: 'List network requests of a sandbox and their outcomes',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, sandbox_id: Id }),
  query: PageQuery,
  success,
  errors: ['sandbox_not_found'],
  handle: async ({ db, params, query }) => {
    const organizationId = params.org_id
    const sandboxId = params.sandbox_id
    const { runId, leaseId } = await getSandbox(db, { organizationId, sandboxId })
    return answerPage(db, { organizationId, of: runId === null ? { sandboxId } : { runId }, leaseId, ...query })
  },
})

async function answerPage(db: HttpDb, asked: ListEgress) {
  const { items, total, ...counts } = await listEgress(db, asked)
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
  return { ...pageOf({ items: shown, total }, asked), ...counts }
}
