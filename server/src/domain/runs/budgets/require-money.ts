import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { budgetColumns, type Budget } from './budget.ts'

/** Throws `budget_reached` if the run may not spend any more. */
export async function requireMoney(db: Db, { organizationId, runId }: RunIds): Promise<void> {
  const run = await maybeOne<{ costUsd: number; maxCostUsd: number; budgetId: number | null }>(
    db,
    `select coalesce(h.cost_usd, 0)::float8 as "costUsd", r.max_cost_usd,
       used_up_budget(r.organization_id, r.user_id, r.repo_id) as "budgetId"
     from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where r.organization_id = $1 and r.id = $2 and has_spent_all($1, $2)`,
    [organizationId, runId],
  )
  if (!run) return
  if (run.budgetId !== null) throw await usedUp(db, { organizationId, budgetId: run.budgetId })
  const { costUsd, maxCostUsd } = run
  const message = `The run has cost ${costUsd.toFixed(2)} USD and may cost ${maxCostUsd.toFixed(2)}: raise its max_cost_usd.`
  throw new AppError('budget_reached', { message })
}

export type UsedUp = { organizationId: number; budgetId: number }

/** The error that names the budget that is used up. */
export async function usedUp(db: Db, { organizationId, budgetId }: UsedUp): Promise<AppError> {
  const budget = await maybeOne<Budget>(
    db,
    `select ${budgetColumns} from budgets b where b.organization_id = $1 and b.id = $2`,
    [organizationId, budgetId],
  )
  if (!budget) return new AppError('budget_reached')
  const { limitUsd, period, renewsAt } = budget
  const each = period === 'total' ? 'in all' : `a ${period}`
  const until = renewsAt ? `, until ${renewsAt.toISOString()}` : ''
  const message = `Budget ${budgetId} of ${limitUsd.toFixed(2)} USD ${each} is used up${until}.`
  return new AppError('budget_reached', { message })
}
