import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { budgetColumns, type Budget } from './budget.ts'

/** Throws `budget_reached` if the run may not spend any more. */
export async function requireMoney(db: Db, { organizationId, runId }: RunIds): Promise<void> {
  const run = await maybeOne<{
    costUsd: number
    maxCostUsd: number
    rootRunId: number | null
    budgetId: number | null
  }>(
    db,
    `select coalesce(m.spent_usd, 0)::float8 as "costUsd", coalesce(m.limit_usd, 0)::float8 as "maxCostUsd", r.root_run_id,
       used_up_budget(r.organization_id, r.user_id, r.repo_id) as "budgetId"
     from runs r left join lateral (select * from limits_in_money($1, $2) l
       where l.budget_id is null and l.spent_usd >= l.limit_usd limit 1) m on true
     where r.organization_id = $1 and r.id = $2 and has_spent_all($1, $2)`,
    [organizationId, runId],
  )
  if (!run) return
  if (run.budgetId !== null) throw await usedUp(db, { organizationId, budgetId: run.budgetId })
  const { costUsd, maxCostUsd, rootRunId } = run
  const whose = rootRunId === null ? 'its max_cost_usd' : `the max_cost_usd of run ${rootRunId}, whose budget it shares`
  const message = `The run has cost ${costUsd.toFixed(2)} USD and may cost ${maxCostUsd.toFixed(2)}: raise ${whose}.`
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
