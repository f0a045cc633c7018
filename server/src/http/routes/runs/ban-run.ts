import { Type, type Static } from 'typebox'
import { banRun, type BanRun } from '#domain/pull-agents/ban-run.ts'
import type { Caller } from '#http/caller.ts'
import type { HttpApp, HttpDb } from '#http/parts.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Id, OrganizationParams } from '#http/schemas/fields.ts'

const route = {
  method: 'POST',
  tag: 'Runs',
  policy: 'standard',
  access: 'use_agents',
  params: OrganizationParams,
  body: Type.Object({ agent_run_id: Id }),
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
} as const

export const banRunRoute = defineRoute({
  ...route,
  path: `${organizationPath}/agent/run/ban`,
  operationId: 'banRun',
  summary: 'Keep a run from mending checks of its pull request',
  description: 'A turn that mends checks is stopped. What people ask of the run it still does.',
  errors: ['run_not_found', 'conflict'],
  handle: (call) => ban(call, 'banned'),
})

export const unbanRunRoute = defineRoute({
  ...route,
  path: `${organizationPath}/agent/run/unban`,
  operationId: 'unbanRun',
  summary: 'Let a run mend checks of its pull request again',
  description: 'Also one that was removed from it. All its tries are as new.',
  errors: ['run_not_found', 'conflict'],
  handle: (call) => ban(call, 'unbanned'),
})

export const removeRunRoute = defineRoute({
  ...route,
  path: `${organizationPath}/agent/run/remove-from-pr`,
  operationId: 'removeRunFromPull',
  summary: 'Send a run away from its pull request',
  description: 'It mends no more checks, and what it is doing is stopped, whoever has asked for it.',
  errors: ['run_not_found', 'conflict'],
  handle: (call) => ban(call, 'removed'),
})

type BanCall = {
  app: Pick<HttpApp, 'clock' | 'publicUrl'>
  db: HttpDb
  params: { org_id: number }
  body: Static<typeof route.body>
  caller: Caller
}

async function ban({ app, db, params, body, caller }: BanCall, type: BanRun['type']) {
  const ids = { organizationId: params.org_id, runId: body.agent_run_id }
  const run = await banRun(db, { ...ids, type, userId: caller.userId, at: app.clock.now() })
  return presentRun(run, app.publicUrl)
}
