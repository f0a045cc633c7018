import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** The `status_detail` of a run that is paused, or about to be, because its budget is spent. */
export const budgetReached = 'budget_reached'

/**
 * Whether a run may not call a model any more, because it has reached its limit or a budget that applies to it is used up. If so,
 * requests its pause in the same transaction, unless somebody has already; throws `LeaseLost` where somebody else holds it then.
 */
export async function holdSpentRun(db: Db, { organizationId, runId, leaseId }: Holder): Promise<boolean> {
  const ids = [organizationId, runId, leaseId]
  // Most runs have money left: they are not locked for that, as a lock costs a commit. Who then takes money looks under locks.
  if (!(await hasSpent(db, { organizationId, runId }))) return false
  return inTransaction(db, async (tx) => {
    // Sent together; the second statement sees what previous holders of the lock have spent.
    const [held, isSpent] = await Promise.all([maybeOne(tx, lockHeld, ids), hasSpent(tx, { organizationId, runId })])
    if (!held) throw new LeaseLost(runId)
    if (isSpent) await wantPause(tx, { organizationId, runId, leaseId })
    return isSpent
  })
}

async function hasSpent(db: Db, { organizationId, runId }: RunIds): Promise<boolean> {
  const { isSpent } = await one<{ isSpent: boolean }>(db, hasSpentAll, [organizationId, runId])
  return isSpent
}

/** Requests a pause because the budget is spent, unless somebody has already. */
export async function wantPause(tx: Db, { organizationId, runId, leaseId }: Omit<Holder, 'turn'>): Promise<void> {
  await tx.query({ ...pause, values: [organizationId, runId, leaseId, budgetReached] })
}

/** Keeps others from beginning a call of the run until this transaction ends. Throws `LeaseLost`. */
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
