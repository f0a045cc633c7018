import type { JsonObject } from '#base/json.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { forgetCheckpoints } from '#domain/runs/checkpoints/forget-checkpoints.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import type { KeptEntry } from '#domain/runs/logs/keep-long-texts.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type SettleEffect = {
  holder: Holder
  key: string
  state: 'done' | 'refused'
  result: JsonObject
  /** What tells of it; written in the same transaction, once. */
  entries: KeptEntry[]
  mask: Mask
  /** Where the run's branch is now, after a push. */
  pushed?: {
    commit: string
    /** Whether the agent is still at work, so that its checkpoints hold more than the branch. */
    isMidTurn?: boolean
  }
}

/** Where the run's branch was before, as far as that is known. */
export type Settled = { before: string | null }

/** Stores how an effect ended. A second call for the same effect does nothing, and answers undefined. Throws `LeaseLost`. */
export async function settleEffect(
  db: Db,
  { holder, key, state, result, entries, mask, pushed }: SettleEffect,
): Promise<Settled | undefined> {
  const { organizationId, runId, turn, leaseId } = holder
  return inTransaction(db, async (tx) => {
    const settled = await maybeOne<Settled>(
      tx,
      `update effects set state = $4, result = $5, settled_at = now()
       where organization_id = $1 and run_id = $2 and key = $3 and state = 'intended' returning request->>'expected' as before`,
      [organizationId, runId, key, state, JSON.stringify(result)],
    )
    if (!settled) return undefined
    if (pushed) {
      const { commit, isMidTurn = false } = pushed
      await tx.query('update runs set branch_commit = $3 where organization_id = $1 and id = $2', [
        organizationId,
        runId,
        commit,
      ])
      if (!isMidTurn) await forgetCheckpoints(tx, { organizationId, runId })
    }
    const seq = await appendLog(tx, { organizationId, runId, leaseId, lines: logLines(entries, { turn, mask }) })
    if (seq === undefined) throw new LeaseLost(runId)
    return settled
  })
}
