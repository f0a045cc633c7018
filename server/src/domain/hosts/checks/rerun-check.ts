import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import { isWanted } from './check.ts'
import type { CheckKey } from './read-check-log.ts'
import { recordChecksChanged } from './record-checks-changed.ts'

/** Reruns a check. False if workers do not run it, or its result is no longer needed. */
export async function rerunCheck(db: Db, { organizationId, repoId, key }: CheckKey): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const found = await maybeOne<{ commit: string; isOver: boolean }>(
      tx,
      `select c.commit, c.status = 'completed' as "isOver" from checks c
       where c.organization_id = $1 and c.repo_id = $2 and c.id::text = $3 and c.command is not null and ${isWanted} for update of c`,
      [organizationId, repoId, key],
    )
    if (!found) return false
    // A check that is queued or running already is what was requested.
    if (!found.isOver) return true
    await tx.query(`update checks c set ${queuedAnew} where organization_id = $1 and repo_id = $2 and id::text = $3`, [
      organizationId,
      repoId,
      key,
    ])
    await recordChecksChanged(tx, { organizationId, repoId, commit: found.commit })
    await requestJob(tx, { organizationId, kind: 'check', ref: key })
    return true
  })
}

/** The assignments of an update that queues a check again. */
export const queuedAnew = `status = 'queued', conclusion = null, summary = null, log_sha256 = null, queued_at = now(),
  started_at = null, completed_at = null, exit_code = null, duration_ms = null, claim_id = null, losses = 0, node_faults = 0`
