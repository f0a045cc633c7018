export const budgetPeriods = ['day', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** A spending limit for an organization, for one user, or for one repository. */
export type Budget = {
  id: number
  userId: number | null
  repoId: number | null
  /** Days and months in UTC; `total` covers everything ever spent. */
  period: BudgetPeriod
  limitUsd: number
  /** Since the period began. */
  spentUsd: number
  /** When it starts over; null: never automatically. */
  renewsAt: Date | null
  createdAt: Date
}

/** The columns of a `Budget` under its field names, from `budgets b`. */
export const budgetColumns = `
  b.id, b.user_id, b.repo_id, b.period, b.limit_usd::float8 as "limitUsd",
  budget_spent(b)::float8 as "spentUsd", b.created_at,
  case b.period when 'total' then null
    else (budget_began(b.period) + ('1 ' || b.period)::interval) at time zone 'utc' end as "renewsAt"`
