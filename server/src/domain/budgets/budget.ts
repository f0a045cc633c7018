export const budgetPeriods = ['day', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** A limit in money: on what the organization spends, or only one user, or only in one repository. */
export type Budget = {
  id: number
  userId: number | null
  repoId: number | null
  /** Days and months are those of UTC; `total`: all that was ever spent. */
  period: BudgetPeriod
  limitUsd: number
  /** Since the period began. */
  spentUsd: number
  /** When it is whole again; null: never by itself. */
  renewsAt: Date | null
  createdAt: Date
}

/** Columns of a `Budget`, in its names, from `budgets b`. */
export const budgetColumns = `
  b.id, b.user_id as "userId", b.repo_id as "repoId", b.period, b.limit_usd::float8 as "limitUsd",
  budget_spent(b)::float8 as "spentUsd", b.created_at as "createdAt",
  case b.period when 'total' then null
    else (budget_began(b.period) + ('1 ' || b.period)::interval) at time zone 'utc' end as "renewsAt"`
