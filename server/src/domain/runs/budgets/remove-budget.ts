import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { continueHeldRuns } from './continue-held-runs.ts'

export type RemoveBudget = { organizationId: number; budgetId: number }

/** Runs that were paused because it was used up continue. Throws `budget_not_found`. */
export async function removeBudget(db: Db, { organizationId, budgetId }: RemoveBudget): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query('delete from budgets where organization_id = $1 and id = $2', [
      organizationId,
      budgetId,
    ])
    if (!rowCount) throw new AppError('budget_not_found')
    await continueHeldRuns(tx, { organizationId })
  })
}
