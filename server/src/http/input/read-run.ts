import type { JsonObject } from '#base/json.ts'
import { findDefaultEngine } from '#domain/repos/repos/find-default-engine.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'
import type { Static } from 'typebox'
import type { Caller } from '#http/pipeline/caller.ts'
import { checkOutputSchema } from './check-output-schema.ts'
import { checkBodyWithoutImages, checkMetadata, checkPrompt } from './check-run-input.ts'
import { chooseEngine } from './choose-engine.ts'
import { findBranch } from './find-branch.ts'
import { readPaths } from './read-paths.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import type { NewRun } from '#http/schemas/new-run.ts'

type ReadRun = {
  app: Pick<HttpApp, 'engines' | 'hosts'>
  db: HttpDb
  organizationId: number
  caller: Caller
  body: Static<typeof NewRun>
}

/** A run as it is wanted, checked as far as it can be without making it; its images are still to be stored. */
export async function readRun({ app, db, organizationId, caller, body }: ReadRun): Promise<CreateRun> {
  checkBodyWithoutImages(body)
  checkPrompt(body.prompt)
  if (body.metadata) checkMetadata(body.metadata)
  const outputSchema = (body.output_schema ?? null) as JsonObject | null
  if (outputSchema) await checkOutputSchema(outputSchema, { organizationId })
  const engine = body.agent_type ?? (await engineOfRepo(db, organizationId, body))
  const request = {
    organizationId,
    userId: caller.userId,
    sourceType: caller.kind === 'session' ? ('WEB' as const) : ('API' as const),
    agentType: await chooseEngine(app, db, { organizationId, request: engine }),
    prompt: body.prompt,
    repoId: body.repo_id ?? null,
    metadata: (body.metadata ?? null) as JsonObject | null,
    model: body.model ?? null,
    effort: body.effort ?? null,
    maxModelCalls: body.max_model_calls ?? null,
    title: body.title ?? null,
    paths: body.paths ? readPaths(body.paths) : null,
    baseBranch: body.base_branch ?? null,
    createPullRequest: body.create_pull_request ?? null,
    timeoutMinutes: body.timeout_minutes ?? null,
    parentRunId: body.parent_run_id ?? null,
    maxCostUsd: body.max_cost_usd ?? null,
    planApproval: body.plan_approval ?? false,
    outputSchema,
  }
  const [branch, pullId] = [body.branch ?? null, body.pull_request ?? null]
  if (branch === null && pullId === null) return request
  return { ...request, ...(await findBranch(app, db, { ...request, branch, pullId })) }
}

async function engineOfRepo(
  db: HttpDb,
  organizationId: number,
  { repo_id: repoId }: ReadRun['body'],
): Promise<string | null> {
  return repoId == null ? null : findDefaultEngine(db, { organizationId, repoId })
}
