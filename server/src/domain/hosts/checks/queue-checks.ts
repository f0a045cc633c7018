import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { CheckCommand } from '#domain/repos/environment.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import type { CheckPlace } from './check.ts'
import { recordChecksChanged } from './record-checks-changed.ts'
import { queuedAnew } from './rerun-check.ts'

export type QueueChecks = CheckPlace & {
  /** The branch whose newest commit this is, if its checks are needed without a pull request. */
  branch: string | null
  commands: readonly CheckCommand[]
}

/**
 * Queues commands for workers to run at a commit. Those queued for it before stay as they are, except for cancelled ones,
 * which are queued again. Returns how many are queued now.
 */
export async function queueChecks(db: Db, request: QueueChecks): Promise<number> {
  const { organizationId, repoId, commit, branch, commands } = request
  return inTransaction(db, async (tx) => {
    if (branch !== null)
      await tx.query(
        `update checks set branch = null where organization_id = $1 and repo_id = $2 and branch = $3 and commit <> $4`,
        [organizationId, repoId, branch, commit],
      )
    if (commands.length === 0) return 0
    await tx.query(
      `insert into checks as c (organization_id, repo_id, commit, key, name, app, command, branch)
       select $1, $2, $3, 'local:' || name, name, 'local', command, $4 from unnest($5::text[], $6::text[]) as t (name, command)
       on conflict (organization_id, repo_id, commit, key) do update set branch = coalesce(excluded.branch, c.branch)`,
      [organizationId, repoId, commit, branch, commands.map(({ name }) => name), commands.map((one) => one.command)],
    )
    await tx.query(
      `update checks c set ${queuedAnew} where organization_id = $1 and repo_id = $2 and commit = $3
         and command is not null and conclusion = 'cancelled'`,
      [organizationId, repoId, commit],
    )
    const waiting = await rows(
      tx,
      `select request_job(organization_id, 'check', id::text) from checks where organization_id = $1 and repo_id = $2 and commit = $3 and command is not null and status = 'queued' order by id`,
      [organizationId, repoId, commit],
    )
    if (waiting.length === 0) return 0
    await recordChecksChanged(tx, request)
    await wakeWorkers(tx, { jobs: true })
    return waiting.length
  })
}
