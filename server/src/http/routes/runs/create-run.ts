import { limits } from '#base/limits.ts'
import { findDefaultModel } from '#base/models/find-default-model.ts'
import { listModelProviders } from '#domain/repos/model-providers/list-model-providers.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import { estimateRun } from '#domain/runs/runs/estimate-run.ts'
import { presentDryRun } from '#http/present/present-dry-run.ts'
import { presentRun } from '#http/present/present-run.ts'
import { readEnvironment } from '#http/input/read-environment.ts'
import { readImages, storeImages } from '#http/input/read-images.ts'
import { readRun } from '#http/input/read-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { NewRun } from '#http/schemas/new-run.ts'
import { traceparentOf } from '#http/pipeline/trace-request.ts'

export const createRunRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run`,
  operationId: 'createRun',
  tag: 'Runs',
  summary: 'Start a run',
  policy: 'creation',
  access: 'use_agents',
  params: OrganizationParams,
  body: NewRun,
  bodyBytesMax: limits.bodyWithImagesBytesMax,
  success: {
    status: 200,
    description: 'The queued run, or the result of the dry run if `dry_run` is true.',
    component: 'AgentRun',
    otherwise: 'DryRun',
  },
  errors: [
    'prompt_too_long',
    'metadata_too_large',
    'engine_unavailable',
    'budget_reached',
    'repo_not_found',
    'run_not_found',
    'pull_not_found',
    'branch_not_found',
    'conflict',
    'sandbox_too_weak',
    'storage_full',
  ],
  handle: async ({ app, db, params, body, caller, request }) => {
    const organizationId = params.org_id
    const newRun = await readRun({ app, db, organizationId, caller, body })
    const read = readImages(body.images)
    if (body.dry_run) {
      const { agentType, userId, repoId = null, parentRunId = null, maxCostUsd = null, baseBranch = null } = newRun
      const estimate = await estimateRun(db, { organizationId, agentType, userId, repoId, parentRunId, maxCostUsd })
      const environment = repoId && (await readEnvironment(app, db, { organizationId, repoId, baseBranch }))
      return presentDryRun(newRun, {
        estimate,
        environment: environment || null,
        defaultModel: findDefaultModel(
          app.config.model,
          await listModelProviders(db, { organizationId, skip: 0, limit: 1 }),
        ),
      })
    }
    const images = await storeImages({ app, db, organizationId, images: read })
    return presentRun(await createRun(db, { ...newRun, images, traceparent: traceparentOf(request) }), app.publicUrl)
  },
})
