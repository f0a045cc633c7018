import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { Comparison, Contestant } from './comparison.ts'

export type QueueVerdicts = {
  job: ClaimedJob
  comparison: Comparison
  contestant: Contestant
  commit: string
  /** Null where it is more than is counted. */
  diff: Contestant['diff']
}

/** Has workers judge what a contestant has pushed, each judge once for each commit. Throws `JobLost`. */
export async function queueVerdicts(db: Db, request: QueueVerdicts): Promise<void> {
  const { job, comparison, contestant, commit, diff } = request
  const { organizationId, id: comparisonId, repoId, judges } = comparison
  await inTransaction(db, async (tx) => {
    const known = await maybeOne(
      tx,
      `update contestants set commit = $4, files = $5, additions = $6, deletions = $7
       where organization_id = $1 and comparison_id = $2 and n = $3 returning n`,
      [organizationId, comparisonId, contestant.n, commit, diff?.files, diff?.additions, diff?.deletions],
    )
    await holdJob(tx, job)
    if (!known || repoId === null || judges.length === 0) return
    const queued = await rows<{ id: number }>(
      tx,
      `insert into checks (organization_id, repo_id, commit, key, name, app, command, time_limit_ms, run_id, comparison_id)
       select $1, $2, $3, concat_ws(':', 'judge', $4::bigint, $5::bigint, name), name, 'judge', command, time_limit_ms, $5, $4
       from unnest($6::text[], $7::text[], $8::int[]) as t (name, command, time_limit_ms)
       on conflict (organization_id, repo_id, commit, key) do nothing returning id`,
      [
        organizationId,
        repoId,
        commit,
        comparisonId,
        contestant.runId,
        judges.map(({ name }) => name),
        judges.map(({ command }) => command),
        judges.map(({ timeLimitMs }) => timeLimitMs),
      ],
    )
    await tx.query(`select request_job($1, 'check', id::text) from unnest($2::bigint[]) id`, [
      organizationId,
      queued.map(({ id }) => id),
    ])
    await wakeWorkers(tx, { jobs: true })
  })
}
