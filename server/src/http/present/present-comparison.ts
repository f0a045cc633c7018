import type { Comparison, Contestant } from '#domain/hosts/comparisons/comparison.ts'
import { rankContestants, type Ranked } from '#domain/hosts/comparisons/rank-contestants.ts'
import { comparisonUrl, webUrl } from '#domain/runs/runs/web-url.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentComparison(comparison: Comparison, publicUrl: string): Components['Comparison'] {
  const { id, organizationId, judges, cancelledAt } = comparison
  const ranked = rankContestants(comparison)
  const isDone = [...ranked.values()].every(({ outcome }) => outcome !== 'open')
  return {
    id,
    title: comparison.title,
    prompt: comparison.prompt,
    user_id: comparison.userId,
    repo_id: comparison.repoId,
    base_branch: comparison.baseBranch,
    base_commit: comparison.baseCommit,
    status: cancelledAt ? 'cancelled' : isDone ? 'done' : 'open',
    judges: judges.map(({ name, command, timeLimitMs }) => ({
      name,
      command,
      timeout_seconds: timeLimitMs === null ? null : timeLimitMs / 1_000,
    })),
    judge_files: comparison.judgeFiles,
    winner_run_id: comparison.winnerRunId,
    open_pull_request: comparison.opensPull,
    problem: comparison.problem,
    created_at: comparison.createdAt.toISOString(),
    web_url: comparisonUrl(publicUrl, { organizationId, comparisonId: id }),
    contestants: comparison.contestants.map((contestant) =>
      presentContestant(contestant, { comparison, publicUrl, ranked: ranked.get(contestant.n)! }),
    ),
  }
}

type PresentContestant = { comparison: Comparison; publicUrl: string; ranked: Ranked }

function presentContestant(
  contestant: Contestant,
  { comparison, publicUrl, ranked }: PresentContestant,
): Components['Contestant'] {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = contestant.usage
  return {
    n: contestant.n,
    name: contestant.name,
    run_id: contestant.runId,
    web_url: webUrl(publicUrl, { organizationId: comparison.organizationId, runId: contestant.runId }),
    status: contestant.status,
    status_detail: contestant.statusDetail,
    ...ranked,
    agent_type: contestant.agentType,
    model: contestant.model,
    effort: contestant.effort,
    prompt: contestant.prompt === comparison.prompt ? null : contestant.prompt,
    answer: contestant.answer,
    error: contestant.error,
    started_at: contestant.startedAt?.toISOString() ?? null,
    finished_at: contestant.finishedAt?.toISOString() ?? null,
    usage: {
      input_tokens: inputTokens,
      cached_input_tokens: cachedInputTokens,
      output_tokens: outputTokens,
      cost_usd: costUsd,
    },
    steps: contestant.steps,
    diff: contestant.diff,
    checks: contestant.checks,
    branch: contestant.branch,
    branch_deleted_at: contestant.branchDeletedAt?.toISOString() ?? null,
    pull_request: contestant.pull,
    verdicts: contestant.verdicts.map((verdict) => ({
      id: verdict.id,
      name: verdict.name,
      status: verdict.status,
      conclusion: verdict.conclusion,
      exit_code: verdict.exitCode,
      duration_ms: verdict.durationMs,
      summary: verdict.summary,
      has_log: verdict.hasLog,
    })),
  }
}
