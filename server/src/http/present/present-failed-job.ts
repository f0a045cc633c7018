import type { FailedJob } from '#domain/hosts/jobs/list-failed-jobs.ts'

export function presentFailedJob({ repoId, runId, createdAt, gaveUpAt, ...job }: FailedJob) {
  return {
    ...job,
    repo_id: repoId,
    agent_run_id: runId,
    created_at: createdAt.toISOString(),
    gave_up_at: gaveUpAt.toISOString(),
  }
}
