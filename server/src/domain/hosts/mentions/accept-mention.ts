import type pg from 'pg'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { AskedThread } from '#domain/hosts/threads/asked-thread.ts'
import { awaitThreadReplies } from '#domain/hosts/threads/await-thread-replies.ts'
import { partKey, subjectText, type Mention } from '#domain/hosts/mention.ts'

export type AcceptMention = {
  request: Mention
  /** Starts a run for it, or tells one, in the same transaction. */
  act: (tx: pg.PoolClient) => Promise<{ runId: number }>
  /** Comments that are handed over with it. */
  partIds?: readonly string[]
  /** Where each of these is to be answered; `isInThreads`: that is all that was asked. */
  threads?: readonly AskedThread[]
  isInThreads?: boolean
}

/** Does once what was asked, whoever tells us of it again; its answer is awaited where it was asked. Null: it was done before. */
export async function acceptMention(
  db: Db,
  { request, act, partIds = [], threads = [], isInThreads = false }: AcceptMention,
): Promise<{ runId: number } | null> {
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
      `insert into host_requests (organization_id, repo_id, subject, key, outcome)
       select $1, $2, $3, key, 'asked together with another' from unnest($4::text[]) key
       on conflict (organization_id, repo_id, subject, key) do nothing`,
      [organizationId, repoId, subject, partIds.map(partKey)],
    )
    await awaitThreadReplies(tx, { ...request, runId, threads })
    // What was asked outside of threads before, and is not answered yet, is answered outside of them.
    await tx.query(
      `insert into run_replies as known (organization_id, run_id, repo_id, subject, is_in_threads) values ($1, $2, $3, $4, $5)
       on conflict (organization_id, run_id, repo_id, subject) do update set is_awaited = true, due_at = null,
         is_in_threads = excluded.is_in_threads and (known.is_in_threads or not known.is_awaited)`,
      [organizationId, runId, repoId, subject, isInThreads],
    )
    return { runId }
  })
}
