import { Type } from 'typebox'
import { updateBudget } from '#domain/runs/budgets/update-budget.ts'
import { presentBudget } from '#http/present/present-budget.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Cost, Id } from '#http/schemas/fields.ts'
import { BudgetPeriod } from '#http/schemas/money.ts'

export const updateBudgetRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/budgets/:budget_id`,
  operationId: 'updateBudget',
  tag: 'Organizations',
  summary: 'Update a budget',
  description:
    'Omitted fields are left unchanged. Runs that were paused because the budget was used up continue if it no longer is.',
  policy: 'standard',
  access: 'manage_budgets',
  params: Type.Object({ org_id: Id, budget_id: Id }),
  body: Type.Object({ limit_usd: Type.Optional(Cost), period: Type.Optional(BudgetPeriod) }),
  success: { status: 200, description: 'The budget.', component: 'Budget' },
  errors: ['budget_not_found'],
  handle: async ({ db, params, body }) => {
    const { limit_usd: limitUsd, period } = body
    return presentBudget(
      await updateBudget(db, { organizationId: params.org_id, budgetId: params.budget_id, limitUsd, period }),
    )
  },
})
