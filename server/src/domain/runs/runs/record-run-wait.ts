import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { RunWait } from '#domain/runs/run-wait.ts'

export type RecordRunWait = { holder: Holder; key: string; runIds: number[]; waitMs: number; now: Date }

/**
 * Stores which runs a step waits for; the time of its first wait counts. Answers whether it may go on waiting: its time is not
 * over, and nobody has written to the run. Throws `LeaseLost`.
 */
export async function recordRunWait(
  db: Db,
  { holder, key, runIds, waitMs, now }: RecordRunWait,
): Promise<{ mayWait: boolean }> {
  const { organizationId, runId, leaseId } = holder
  return inTransaction(db, async (tx) => {
    const held = await maybeOne<{ runWait: RunWait | null; hasMessage: boolean }>(
      tx,
      `select run_wait, exists (select from messages m where m.organization_id = $1 and m.run_id = $2
         and ((m.taken_seq is null and m.turn is null) or m.created_at > (run_wait->>'since')::timestamptz and run_wait->>'key' = $4)) as "hasMessage"
       from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for update`,
      [organizationId, runId, leaseId, key],
    )
    if (!held) throw new LeaseLost(runId)
    const known = held.runWait?.key === key ? held.runWait : undefined
    const since = now.toISOString()
    const until = known?.until ?? new Date(now.getTime() + waitMs).toISOString()
    if (!known)
      await tx.query('update run_heads set run_wait = $3 where organization_id = $1 and run_id = $2', [
        organizationId,
        runId,
        JSON.stringify({ key, runIds, since, until } satisfies RunWait),
      ])
    return { mayWait: !held.hasMessage && Date.parse(until) > now.getTime() }
  })
}
