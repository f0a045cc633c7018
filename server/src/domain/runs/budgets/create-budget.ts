import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getUser } from '#domain/accounts/users/get-user.ts'
import { budgetColumns, type Budget, type BudgetPeriod } from './budget.ts'

export type CreateBudget = {
  organizationId: number
  userId: number | null
  repoId: number | null
  period: BudgetPeriod
  limitUsd: number
}

/** Earlier spending counts, too. Throws `user_not_found`, `repo_not_found`, `conflict` (too many budgets). */
export async function createBudget(
  db: Db,
  { organizationId, userId, repoId, period, limitUsd }: CreateBudget,
): Promise<Budget> {
  if (userId !== null) await getUser(db, { organizationId, userId })
  if (repoId !== null) await getRepo(db, { organizationId, repoId })
  return inTransaction(db, async (tx) => {
    const { count } = await one<{ count: number }>(
      tx,
      'select (select count(*) from budgets where organization_id = o.id) as count from organizations o where o.id = $1 for update of o',
      [organizationId],
    )
    if (count >= limits.budgetsMax) {
      throw new AppError('conflict', { message: `An organization can have at most ${limits.budgetsMax} budgets.` })
    }
    const budget = await one<{ id: number }>(
      tx,
      'insert into budgets (organization_id, user_id, repo_id, period, limit_usd) values ($1, $2, $3, $4, $5) returning id',
      [organizationId, userId, repoId, period, limitUsd],
    )
    return one<Budget>(tx, `select ${budgetColumns} from budgets b where b.organization_id = $1 and b.id = $2`, [
      organizationId,
      budget.id,
    ])
  })
}
