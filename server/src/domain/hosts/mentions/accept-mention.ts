import type pg from 'pg'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { subjectText, type Mention } from './mention.ts'

export type AcceptMention = {
  request: Mention
  /** Starts a run for it, or tells one, in the same transaction. */
  act: (tx: pg.PoolClient) => Promise<{ runId: number }>
}

/** Does once what was asked, whoever tells us of it again; its answer is awaited where it was asked. Null: it was done before. */
export async function acceptMention(db: Db, { request, act }: AcceptMention): Promise<{ runId: number } | null> {
  const { organizationId, repoId, on, key } = request
  const subject = subjectText(on)
  return inTransaction(db, async (tx) => {
    // Whoever does the same at the same moment waits here, and then finds it done.
    const made = await maybeOne<{ id: number }>(
      tx,
      `insert into host_requests (organization_id, repo_id, subject, key) values ($1, $2, $3, $4)
       on conflict (organization_id, repo_id, subject, key) do nothing returning id`,
      [organizationId, repoId, subject, key],
    )
    if (!made) return null
    const { runId } = await act(tx)
    await tx.query('update host_requests set run_id = $3 where organization_id = $1 and id = $2', [
      organizationId,
      made.id,
      runId,
    ])
    await tx.query(
      `insert into run_replies (organization_id, run_id, repo_id, subject) values ($1, $2, $3, $4)
       on conflict (organization_id, run_id, repo_id, subject) do update set is_awaited = true, due_at = null`,
      [organizationId, runId, repoId, subject],
    )
    return { runId }
  })
}
