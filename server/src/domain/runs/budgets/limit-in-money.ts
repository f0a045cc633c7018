import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** A spending limit that applies to a run: its own, or a budget of its organization. */
export type LimitInMoney = {
  /** Null: the `max_cost_usd` of the run, or of the run at the top of its family. */
  budgetId: number | null
  limitUsd: number
  /** Includes the possible cost of calls that were lost with their worker. */
  spentUsd: number
  /** What the current calls may cost in addition, and how many there are. */
  reservedUsd: number
  underWay: number
}

/** Keeps calls under any budget of this run, or of its family, from beginning elsewhere until this transaction ends. */
export async function lockBudgets(tx: Db, { organizationId, runId }: RunIds): Promise<void> {
  const values = [organizationId, runId]
  // Sent together, and before whatever the caller sends next.
  await Promise.all([tx.query({ ...lockFamily, values }), tx.query({ ...lock, values })])
}

/** The current state of all limits. */
export async function listLimitsInMoney(db: Db, { organizationId, runId }: RunIds): Promise<LimitInMoney[]> {
  return rows<LimitInMoney>(db, limitsOf, [organizationId, runId])
}

/** No row of the run at the top is locked, which its worker may have locked and wait for this run's. */
const lockFamily = {
  name: 'lock-family',
  text: `select pg_advisory_xact_lock(hashtextextended(coalesce(r.root_run_id, r.id)::text, 65)) from runs r
    where r.organization_id = $1 and r.id = $2 and (
      exists (select from runs top
        where top.organization_id = r.organization_id and top.id = coalesce(r.root_run_id, r.id) and top.max_cost_usd is not null)
      or exists (select from deleted_runs top
        where top.organization_id = r.organization_id and top.run_id = r.root_run_id and top.max_cost_usd is not null))`,
}

const lock = {
  name: 'lock-budgets',
  text: `select 1 from budgets b join runs r on r.organization_id = b.organization_id and r.id = $2
    where b.organization_id = $1 and (b.user_id is null or b.user_id = r.user_id)
      and (b.repo_id is null or b.repo_id = r.repo_id) order by b.id for no key update of b`,
}

const limitsOf = {
  name: 'limits-in-money',
  text: `select budget_id, limit_usd::float8 as "limitUsd", spent_usd::float8 as "spentUsd",
    reserved_usd::float8 as "reservedUsd", under_way from limits_in_money($1, $2)`,
}
