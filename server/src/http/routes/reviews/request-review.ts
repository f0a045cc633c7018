import { Type } from 'typebox'
import { renewPull } from '#domain/hosts/pulls/renew-pull.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { preparePullReview } from '#domain/hosts/reviews/prepare-review.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import { askHost } from '#http/input/ask-host.ts'
import { chooseEngine } from '#http/input/choose-engine.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, Text } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'
import { traceparentOf } from '#http/pipeline/trace-request.ts'

export const requestReviewRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/prs/:pr_id/reviews/request`,
  operationId: 'requestReview',
  tag: 'Pull requests',
  summary: 'Request a review from an agent',
  description:
    'Starts a run that reads the changes and posts a review on the pull request. The run has no access to secrets and changes nothing.',
  policy: 'creation',
  access: 'use_agents',
  params: PullParams,
  body: Type.Object({
    agent_type: Type.Optional(
      Nullable(Text(100, { description: 'The engine. Defaults to the built-in agent, which needs a model.' })),
    ),
    model: Type.Optional(Nullable(Text(200))),
  }),
  success: { status: 201, description: 'The queued run.', component: 'AgentRun' },
  errors: [
    'pull_not_found',
    'branch_not_found',
    'conflict',
    'engine_unavailable',
    'budget_reached',
    'sandbox_too_weak',
  ],
  handle: async ({ app, db, params, body, caller, request }) => {
    const { org_id: organizationId, pr_id: pullId } = params
    const { number, repoId } = await getPull(db, { organizationId, pullId })
    const agentType = await chooseEngine(app, db, { organizationId, request: body.agent_type ?? 'builtin' })
    const repo = await getRepo(db, { organizationId, repoId })
    const { mask } = await app.redactors.readRepo({ organizationId, repoId })
    const run = await askHost('branch_not_found', async () => {
      const pull = await renewPull(db, { repo, number, forge: app.hosts.forge(repo) })
      const by = { userId: caller.userId, sourceType: caller.kind === 'session' ? ('WEB' as const) : ('API' as const) }
      const how = { agentType, model: body.model ?? null, traceparent: traceparentOf(request) }
      return preparePullReview(pull, { repo, hosts: app.hosts, mask, ...by, ...how })
    })
    return presentRun(await createRun(db, run), app.publicUrl)
  },
})
