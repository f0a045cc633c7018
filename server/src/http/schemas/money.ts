import { Type } from 'typebox'
import { budgetPeriods } from '#domain/budgets/budget.ts'
import { Cost, Id, Nullable, PageOf, Time, Word } from './fields.ts'

export const Day = Type.String({
  pattern: '^[1-9]\\d{3}-\\d\\d-\\d\\d$',
  description: 'A day of UTC, such as 2026-01-31.',
})
export const BudgetPeriod = Word(budgetPeriods, {
  description: 'Days and months are those of UTC; `total`: all that was ever spent.',
})

const BudgetBody = Type.Object(
  {
    id: Id,
    user_id: Nullable(Type.Integer({ ...Id, description: 'Only what this user’s runs cost; null: everybody’s.' })),
    repo_id: Nullable(Type.Integer({ ...Id, description: 'Only what runs in this repository cost; null: in all.' })),
    period: BudgetPeriod,
    limit_usd: Cost,
    spent_usd: Type.Number({ description: 'Since the period began.' }),
    renews_at: Nullable(Type.String({ format: 'date-time', description: 'Null: never by itself.' })),
    created_at: Time,
  },
  {
    $id: 'Budget',
    title: 'Budget',
    description: 'Once it is used up, no run that falls under it is made or sent on, and those at work are paused.',
  },
)

const UsageBody = Type.Object(
  {
    day: Nullable(Day),
    user_id: Nullable(Id),
    repo_id: Nullable(Id),
    agent_type: Nullable(Type.String()),
    model: Nullable(Type.String()),
    calls: Type.Integer({ minimum: 0 }),
    input_tokens: Type.Integer({ minimum: 0, description: 'All that was read, cached or not.' }),
    output_tokens: Type.Integer({ minimum: 0 }),
    cost_usd: Nullable(Type.Number({ description: 'Of those calls that have a known price; null where none has.' })),
  },
  {
    $id: 'Usage',
    title: 'Usage',
    description: 'Model calls, added up. What they are not told apart by is null.',
  },
)

export const moneyComponents = [BudgetBody, PageOf('Budget'), UsageBody, PageOf('Usage')]
