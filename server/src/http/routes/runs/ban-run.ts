import { Type, type Static } from 'typebox'
import { banRun, type BanRun } from '#domain/hosts/fixers/ban-run.ts'
import type { Caller } from '#http/pipeline/caller.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath, type Route } from '#http/pipeline/route.ts'
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

/** One that says whether a run looks after its pull request. */
export const defineBanRoute = (
  about: Pick<Route, 'path' | 'operationId' | 'summary' | 'description'>,
  type: BanRun['type'],
) => defineRoute({ ...route, ...about, errors: ['run_not_found', 'conflict'], handle: (call) => ban(call, type) })

export const banRunRoute = defineBanRoute(
  {
    path: `${organizationPath}/agent/run/ban`,
    operationId: 'banRun',
    summary: 'Stop a run from fixing checks of its pull request',
    description: 'A turn that is fixing checks is stopped. The run still handles requests from people.',
  },
  'banned',
)

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
