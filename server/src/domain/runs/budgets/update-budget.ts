import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { budgetColumns, type Budget, type BudgetPeriod } from './budget.ts'
import { continueHeldRuns } from './continue-held-runs.ts'

export type UpdateBudget = {
  organizationId: number
  budgetId: number
  /** Omitted fields stay as they are. */
  period?: BudgetPeriod | undefined
  limitUsd?: number | undefined
}

/** Runs that were paused because it was used up continue if it no longer is. Throws `budget_not_found`. */
export async function updateBudget(
  db: Db,
  { organizationId, budgetId, period, limitUsd }: UpdateBudget,
): Promise<Budget> {
  return inTransaction(db, async (tx) => {
    await tx.query(
      `update budgets set period = coalesce($3, period), limit_usd = coalesce($4, limit_usd)
       where organization_id = $1 and id = $2`,
      [organizationId, budgetId, period ?? null, limitUsd ?? null],
    )
    const budget = await maybeOne<Budget>(
      tx,
      `select ${budgetColumns} from budgets b where b.organization_id = $1 and b.id = $2`,
      [organizationId, budgetId],
    )
    if (!budget) throw new AppError('budget_not_found')
    await continueHeldRuns(tx, { organizationId })
    return budget
  })
}
