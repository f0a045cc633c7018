import type { Db } from '#db/pool.ts'
import { subjectText, type Mention } from '#domain/hosts/mention.ts'
import type { AskedThread } from './asked-thread.ts'

export type AwaitThreadReplies = Omit<Mention, 'key'> & { runId: number; threads: readonly AskedThread[] }

/** Has a run answer comments in their threads, of which its newest message tells, in the transaction that has sent it. */
export async function awaitThreadReplies(tx: Db, request: AwaitThreadReplies): Promise<void> {
  const { organizationId, runId, repoId, on, threads } = request
  if (!threads.length) return
  await tx.query(
    `insert into thread_replies (organization_id, run_id, repo_id, subject, comment_id, thread_id, lines, message)
     select $1, $2, $3, $4, t->>'commentId', t->>'threadId', t->'lines',
       (select max(n) from messages where organization_id = $1 and run_id = $2)
     from jsonb_array_elements($5::jsonb) t
     on conflict (organization_id, run_id, repo_id, comment_id) do update set message = excluded.message, answered_at = null`,
    [organizationId, runId, repoId, subjectText(on), JSON.stringify(threads)],
  )
}
