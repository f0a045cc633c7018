import { limits } from '#base/limits.ts'
import { effortDefault } from '#base/models/effort.ts'
import { titleOf, type CreateRun } from '#domain/runs/runs/create-run.ts'
import type { RunEstimate } from '#domain/runs/runs/estimate-run.ts'
import type { FoundEnvironment } from '#http/input/read-environment.ts'
import { presentEnvironment } from './present-environment.ts'
import type { Components } from '#http/schemas/index.ts'

type DryRun = { estimate: RunEstimate; environment: FoundEnvironment | null; defaultModel: string | null }

/** What a run would be made with, and what would become of it. */
export function presentDryRun(
  request: CreateRun,
  { estimate, environment, defaultModel }: DryRun,
): Components['DryRun'] {
  const usesModel = request.agentType === 'builtin'
  return {
    dry_run: true,
    configuration: {
      agent_type: request.agentType,
      model: request.model ?? (usesModel ? (estimate.defaultModel ?? defaultModel) : null),
      effort: usesModel ? (request.effort ?? estimate.defaultEffort ?? effortDefault) : null,
      max_model_calls: request.maxModelCalls ?? null,
      title: request.title ?? titleOf(request.prompt),
      repo_id: request.repoId ?? null,
      base_branch: request.baseBranch ?? estimate.defaultBranch,
      branch: request.branch ?? null,
      pull_request: request.pullId ?? null,
      create_pull_request: request.createPullRequest ?? estimate.createPullRequest,
      max_cost_usd: request.maxCostUsd ?? null,
      timeout_minutes: request.timeoutMinutes ?? limits.runMinutesDefault,
      parent_run_id: request.parentRunId ?? null,
      egress: estimate.egressNames,
      environment: environment && presentEnvironment(environment),
      plan_approval: request.planApproval ?? false,
      paths: request.paths ?? estimate.paths,
      metadata: request.metadata ?? null,
    },
    blocked_by: estimate.blockedBy,
    cost_range: { low_usd: estimate.lowUsd, high_usd: estimate.highUsd },
  }
}
