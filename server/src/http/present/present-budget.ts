import type { Budget } from '#domain/runs/budgets/budget.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentBudget(budget: Budget): Components['Budget'] {
  return {
    id: budget.id,
    user_id: budget.userId,
    repo_id: budget.repoId,
    period: budget.period,
    limit_usd: budget.limitUsd,
    spent_usd: budget.spentUsd,
    renews_at: budget.renewsAt?.toISOString() ?? null,
    created_at: budget.createdAt.toISOString(),
  }
}
