import { refusedMs } from '#base/hosts/refused-ms.ts'
import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { HostWait } from '#domain/runs/host-wait.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type RecordHostWait = {
  holder: Holder
  refused: Pick<HostWait, 'for' | 'code' | 'message'>
  /** How long it is tried again, from the first failure on. */
  patienceMs: number
  /** Not earlier than that: the host has said so. */
  retryInMs: number | undefined
  now: Date
}

/**
 * Stores that a run's code host failed it once more, and when it is tried again: later each time, and not at all once it has
 * been tried for as long as it may be. Throws `LeaseLost`.
 */
export async function recordHostWait(
  db: Db,
  { holder, refused, patienceMs, retryInMs, now }: RecordHostWait,
): Promise<HostWait> {
  const { organizationId, runId, leaseId } = holder
  return inTransaction(db, async (tx) => {
    const held = await maybeOne<{ hostWait: HostWait | null }>(
      tx,
      'select host_wait from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for update',
      [organizationId, runId, leaseId],
    )
    if (!held) throw new LeaseLost(runId)
    const before = held.hostWait?.for === refused.for ? held.hostWait : null
    const tries = (before?.tries ?? 0) + 1
    const since = before?.since ?? now.toISOString()
    const isSpent = now.getTime() - Date.parse(since) >= patienceMs
    const nextTryAt = isSpent ? null : new Date(now.getTime() + pauseOf(tries, retryInMs)).toISOString()
    const wait: HostWait = { ...refused, tries, since, nextTryAt }
    await tx.query('update run_heads set host_wait = $3 where organization_id = $1 and run_id = $2', [
      organizationId,
      runId,
      JSON.stringify(wait),
    ])
    return wait
  })
}

/** Twice as long each time, and not the same for all that wait for one host. */
function pauseOf(tries: number, retryInMs: number | undefined): number {
  const longest = Math.min(limits.hostWaitPauseMs * 2 ** Math.min(tries - 1, 20), limits.hostWaitPauseMsMax)
  return Math.max(longest * (0.75 + Math.random() / 4), refusedMs(retryInMs))
}
