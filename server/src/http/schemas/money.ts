import { Type } from 'typebox'
import { budgetPeriods } from '#domain/runs/budgets/budget.ts'
import { Component, Cost, Id, Nullable, PageOf, Time, Word } from './fields.ts'

export const Day = Type.String({
  pattern: '^[1-9]\\d{3}-\\d\\d-\\d\\d$',
  description: 'A day in UTC, such as `2026-01-31`.',
})
export const BudgetPeriod = Word(budgetPeriods, {
  description: 'Days and months are in UTC. `total` never resets.',
})

const BudgetBody = Component(
  'Budget',
  {
    id: Id,
    user_id: Nullable(
      Type.Integer({ ...Id, description: 'Counts only the runs of this user. Null: runs of all users.' }),
    ),
    repo_id: Nullable(
      Type.Integer({ ...Id, description: 'Counts only runs in this repository. Null: runs in all repositories.' }),
    ),
    period: BudgetPeriod,
    limit_usd: Cost,
    spent_usd: Type.Number({ description: 'Amount spent since the period began.' }),
    renews_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the period ends and spending is counted from zero again. Null: never.',
      }),
    ),
    created_at: Time,
  },
  {
    description:
      "Once a budget is used up, runs that it covers can't be created or resumed, and those in progress are paused.",
  },
)

const UsageBody = Component(
  'Usage',
  {
    day: Nullable(Day),
    user_id: Nullable(Id),
    repo_id: Nullable(Id),
    agent_type: Nullable(Type.String()),
    model: Nullable(Type.String()),
    calls: Type.Integer({ minimum: 0 }),
    input_tokens: Type.Integer({ minimum: 0, description: 'All input tokens, cached or not.' }),
    cached_input_tokens: Type.Integer({
      minimum: 0,
      description: 'Those of `input_tokens` that came from the cache of a provider.',
    }),
    output_tokens: Type.Integer({ minimum: 0 }),
    cost_usd: Nullable(
      Type.Number({ description: 'Cost of the calls with a known price. Null if no price is known.' }),
    ),
  },
  { description: 'Totals of model calls. Fields that the totals are not grouped by are null.' },
)

export const moneyComponents = [BudgetBody, PageOf(BudgetBody), UsageBody, PageOf(UsageBody)]
