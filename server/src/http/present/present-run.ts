import { pullUrl } from '#domain/hosts/pulls/pull.ts'
import type { HostWait } from '#domain/runs/host-wait.ts'
import type { Run, RunPull } from '#domain/runs/run.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import type { Components } from '#http/schemas/index.ts'
import type { runHeadFields } from '#http/schemas/run.ts'

/** What every reading of a run begins with. */
export function presentRunHead(run: Run, publicUrl: string): Pick<Components['AgentRun'], keyof typeof runHeadFields> {
  return {
    id: run.id,
    organization_id: run.organizationId,
    status: run.status,
    created_at: run.createdAt.toISOString(),
    web_url: webUrl(publicUrl, { organizationId: run.organizationId, runId: run.id }),
    result: run.result,
  }
}

/** A run as the API answers it. */
export function presentRun(run: Run, publicUrl: string): Components['AgentRun'] {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = run.usage
  return {
    ...presentRunHead(run, publicUrl),
    status_detail: run.statusDetail,
    summary: run.summary,
    error: run.error,
    host_wait: run.hostWait && presentHostWait(run.hostWait),
    source_type: run.sourceType,
    github_pull_requests: run.pulls.map((pull) => presentPull(pull, { run, publicUrl })),
    metadata: run.metadata,
    prompt: run.prompt,
    title: run.title,
    repo_id: run.repoId,
    model: run.model,
    effort: run.effort,
    max_model_calls: run.maxModelCalls,
    agent_type: run.agentType,
    turn: run.turn,
    updated_at: run.updatedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    user_id: run.userId,
    parent_run_id: run.parentRunId,
    branch: run.branch,
    base_branch: run.baseBranch,
    usage: {
      input_tokens: inputTokens,
      cached_input_tokens: cachedInputTokens,
      output_tokens: outputTokens,
      cost_usd: costUsd,
    },
    archived: run.archived,
    result_json: run.resultJson,
    max_cost_usd: run.maxCostUsd,
    timeout_minutes: run.timeoutMinutes,
    plan_approval: run.planApproval,
    paths: run.paths,
    truncated: run.truncated,
  }
}

function presentHostWait({
  for: what,
  code,
  message,
  tries,
  since,
  nextTryAt,
}: HostWait): Components['AgentRun']['host_wait'] {
  return { for: what, code, message, tries, since, next_try_at: nextTryAt }
}

function presentPull(pull: RunPull, { run, publicUrl }: { run: Run; publicUrl: string }): Components['RunPullRequest'] {
  return {
    id: pull.id,
    title: pull.title,
    url: pullUrl(publicUrl, { ...pull, organizationId: run.organizationId }),
    created_at: pull.createdAt.toISOString(),
    head_branch_name: pull.headBranchName,
    number: pull.number,
    state: pull.state,
    merged: pull.merged,
    merged_at: pull.mergedAt?.toISOString() ?? null,
  }
}
