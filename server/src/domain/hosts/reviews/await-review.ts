import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import { reviewRef } from './forget-awaited-review.ts'

export type AwaitReview = {
  organizationId: number
  repoId: number
  /** `pull:7`, `branch:main`. */
  subject: string
  commit: string
  /** Of a branch: where it was before. */
  base?: string | null
  /** Somebody has asked for it: then the settings need not want it. */
  isAsked?: boolean
  /** Nothing may move for so long before it begins. */
  settleMs: number
}

/**
 * Has a commit reviewed once its subject has come to rest; a newer one takes its place, and what that one was compared with
 * stays. Does nothing for the commit that was reviewed last. Answers whether it waits.
 */
export async function awaitReview(db: Db, request: AwaitReview): Promise<boolean> {
  const { organizationId, repoId, subject, commit, base = null, isAsked = false, settleMs } = request
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `insert into awaited_reviews as a (organization_id, repo_id, subject, commit, base, is_asked, due_at)
     values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 ms')
     on conflict (organization_id, repo_id, subject) do update set commit = excluded.commit, due_at = excluded.due_at,
       base = case when a.due_at is null then excluded.base else a.base end,
       is_asked = excluded.is_asked or (a.is_asked and a.due_at is not null)
     where a.reviewed is distinct from excluded.commit and (a.due_at is null or a.commit <> excluded.commit or excluded.is_asked)`,
      [organizationId, repoId, subject, commit, base, isAsked, settleMs],
    )
    if (rowCount)
      await requestJob(tx, {
        organizationId,
        kind: 'review',
        ref: reviewRef(request),
        delayMs: settleMs,
        postpones: true,
      })
    return rowCount !== 0
  })
}
