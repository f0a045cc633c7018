import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { LeaseLost, type Holder } from '#domain/steps/step.ts'

/** As `status_detail`: the run is held, or about to be, because its money is spent. */
export const budgetReached = 'budget_reached'

/**
 * Whether a run may ask a model no more, because it has cost what it may, or a budget that it falls under is used up. Then
 * it is to be paused, in the same transaction, unless somebody wants that already. Throws `LeaseLost`.
 */
export async function holdSpentRun(db: Db, { organizationId, runId, leaseId }: Holder): Promise<boolean> {
  const ids = [organizationId, runId, leaseId]
  return inTransaction(db, async (tx) => {
    // Sent together; the second sees what those have spent who had the lock before.
    const [held, { isSpent }] = await Promise.all([
      maybeOne(tx, lockHeld, ids),
      one<{ isSpent: boolean }>(tx, hasSpentAll, [organizationId, runId]),
    ])
    if (!held) throw new LeaseLost(runId)
    if (isSpent) await wantPause(tx, { organizationId, runId, leaseId })
    return isSpent
  })
}

/** Has the run paused because its money is spent, unless somebody wants that already. */
export async function wantPause(tx: Db, { organizationId, runId, leaseId }: Omit<Holder, 'turn'>): Promise<void> {
  await tx.query({ ...pause, values: [organizationId, runId, leaseId, budgetReached] })
}

/** Nobody else begins a call of the run until this transaction ends. Throws `LeaseLost`. */
export async function lockHeldRun(tx: Db, { organizationId, runId, leaseId }: Omit<Holder, 'turn'>): Promise<void> {
  if (!(await maybeOne(tx, lockHeld, [organizationId, runId, leaseId]))) throw new LeaseLost(runId)
}

const lockHeld = {
  name: 'lock-held',
  text: `select 1 from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel'
    for update`,
}

const hasSpentAll = { name: 'has-spent-all', text: 'select has_spent_all($1, $2) as "isSpent"' }

const pause = {
  name: 'want-budget-pause',
  text: `update run_heads set wanted = 'pause', status_detail = $4, revision = revision + 1, updated_at = now()
    where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is null`,
}
