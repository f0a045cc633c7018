import type { FailedJob } from '#domain/hosts/jobs/list-failed-jobs.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentFailedJob({ repoId, runId, createdAt, gaveUpAt, ...job }: FailedJob): Components['FailedJob'] {
  return {
    ...job,
    repo_id: repoId,
    agent_run_id: runId,
    created_at: createdAt.toISOString(),
    gave_up_at: gaveUpAt.toISOString(),
  }
}
