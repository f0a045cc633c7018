import { one, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import type { CheckPlace } from './check.ts'
import { recordChecksChanged } from './record-checks-changed.ts'
import { queuedAnew } from './rerun-check.ts'

export type QueueChecks = CheckPlace & {
  /** The branch whose newest commit this is, if its checks are needed without a pull request. */
  branch: string | null
  /** The run that waits for them before it opens its pull request. */
  runId?: number
  commands: readonly ScopedCheck[]
}

/** `skipped`: why the commit does not need it. */
export type ScopedCheck = { name: string; command: string; skipped?: string | null }

/**
 * Queues commands for workers to run at a commit; those that it does not need are there as skipped. Those queued for it before stay as they are, except for cancelled ones,
 * which are queued again. Returns how many are queued now.
 */
export async function queueChecks(db: Db, request: QueueChecks): Promise<number> {
  const { organizationId, repoId, commit, branch, runId = null, commands } = request
  return inTransaction(db, async (tx) => {
    if (branch !== null)
      await tx.query(
        `update checks set branch = null where organization_id = $1 and repo_id = $2 and branch = $3 and commit <> $4`,
        [organizationId, repoId, branch, commit],
      )
    if (commands.length === 0) return 0
    const { skipped } = await one<{ skipped: number }>(
      tx,
      `with added as (
         insert into checks as c (organization_id, repo_id, commit, key, name, app, command, branch, run_id, status, conclusion, summary, completed_at)
         select $1, $2, $3, 'local:' || name, name, 'local', command, $4, $8, case when skipped is null then 'queued' else 'completed' end,
           case when skipped is not null then 'skipped' end, skipped, case when skipped is not null then now() end
         from unnest($5::text[], $6::text[], $7::text[]) as t (name, command, skipped)
         on conflict (organization_id, repo_id, commit, key) do update set branch = coalesce(excluded.branch, c.branch), run_id = coalesce(excluded.run_id, c.run_id)
         returning conclusion, xmax = 0 as is_new)
       select count(*) filter (where is_new and conclusion = 'skipped')::int as skipped from added`,
      [
        organizationId,
        repoId,
        commit,
        branch,
        commands.map(({ name }) => name),
        commands.map((one) => one.command),
        commands.map((one) => one.skipped ?? null),
        runId,
      ],
    )
    await tx.query(
      `update checks c set ${queuedAnew} where organization_id = $1 and repo_id = $2 and commit = $3
         and command is not null and comparison_id is null and (conclusion = 'cancelled' or conclusion = 'skipped' and name = any($4))`,
      [organizationId, repoId, commit, commands.filter((one) => !one.skipped).map(({ name }) => name)],
    )
    const waiting = await rows(
      tx,
      `select request_job(organization_id, 'check', id::text) from checks where organization_id = $1 and repo_id = $2 and commit = $3 and command is not null and status = 'queued' order by id`,
      [organizationId, repoId, commit],
    )
    if (waiting.length + skipped > 0) await recordChecksChanged(tx, request)
    if (waiting.length === 0) return 0
    await wakeWorkers(tx, { jobs: true })
    return waiting.length
  })
}
