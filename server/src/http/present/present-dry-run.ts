import { limits } from '#base/limits.ts'
import { titleOf, type CreateRun } from '#domain/runs/runs/create-run.ts'
import type { RunEstimate } from '#domain/runs/runs/estimate-run.ts'
import type { FoundEnvironment } from '#http/input/read-environment.ts'
import { presentEnvironment } from './present-environment.ts'

type DryRun = { estimate: RunEstimate; environment: FoundEnvironment | null; defaultModel: string | null }

/** What a run would be made with, and what would become of it. */
export function presentDryRun(wanted: CreateRun, { estimate, environment, defaultModel }: DryRun) {
  const usesModel = wanted.agentType === 'builtin' || wanted.agentType === 'codegen'
  return {
    dry_run: true,
    configuration: {
      agent_type: wanted.agentType,
      model: wanted.model ?? (usesModel ? (estimate.defaultModel ?? defaultModel) : null),
      title: wanted.title ?? titleOf(wanted.prompt),
      repo_id: wanted.repoId ?? null,
      base_branch: wanted.baseBranch ?? estimate.defaultBranch,
      branch: wanted.branch ?? null,
      pull_request: wanted.pullId ?? null,
      create_pull_request: wanted.createPullRequest ?? estimate.createPullRequest,
      max_cost_usd: wanted.maxCostUsd ?? null,
      timeout_minutes: wanted.timeoutMinutes ?? limits.runMinutesDefault,
      parent_run_id: wanted.parentRunId ?? null,
      egress: estimate.egressNames,
      environment: environment && presentEnvironment(environment),
      plan_approval: wanted.planApproval ?? false,
      metadata: wanted.metadata ?? null,
    },
    blocked_by: estimate.blockedBy,
    cost_range: { low_usd: estimate.lowUsd, high_usd: estimate.highUsd },
  }
}
