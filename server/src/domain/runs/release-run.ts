import type { Mask } from '#base/masker.ts'
import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { finishTurn } from './finish-turn.ts'
import type { RunIds } from './run.ts'
import { lockRunHead } from './run-head.ts'
import { wakeWorkers } from './wake-workers.ts'

export type ReleaseRun = RunIds & {
  leaseId: string
  /** True when its worker is lost; too many losses without a finished step in between end the run. */
  isLost: boolean
  mask: Mask
}

/** Takes a run from its worker, if that lease still holds it: queued again, ahead of others, or paused where that was asked for. */
export async function releaseRun(db: Db, { organizationId, runId, leaseId, isLost, mask }: ReleaseRun): Promise<void> {
  await inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (head.leaseId !== leaseId) return
    const holder = { organizationId, runId, leaseId, turn: head.turn }
    if (head.wanted === 'cancel') return finishTurn(tx, { holder, end: { status: 'cancelled' }, entries: [], mask })
    const isPaused = head.wanted === 'pause'
    if (isLost && !isPaused && head.claims >= limits.claimsWithoutProgressMax) {
      const message = `The worker was lost ${head.claims} times in a row at the same step of this run, so it was not tried again.`
      const error = { code: 'worker_lost', message, retryable: true }
      return finishTurn(tx, {
        holder,
        end: { status: 'failed', error },
        entries: [{ messageType: 'ERROR', observation: message }],
        mask,
      })
    }
    await tx.query(
      `update run_heads set status = $4, status_detail = $5, worker_id = null, lease_id = null, priority = greatest(priority, 1),
         claims = claims - $3, wanted = null, held_at = case when $4 = 'paused' then now() end, not_before = now(), revision = revision + 1, updated_at = now()
       where organization_id = $1 and run_id = $2`,
      [organizationId, runId, isLost ? 0 : 1, isPaused ? 'paused' : 'queued', isPaused ? null : 'handed_over'],
    )
    await tx.query('update run_slots set running = running - 1 where organization_id = $1', [organizationId])
    await wakeWorkers(tx, { queued: true })
  })
}
