import { Type } from 'typebox'
import { removeBudget } from '#domain/runs/budgets/remove-budget.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeBudgetRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/budgets/:budget_id`,
  operationId: 'removeBudget',
  tag: 'Organizations',
  summary: 'Remove a budget',
  description: 'Runs that were paused because the budget was used up continue.',
  policy: 'standard',
  access: 'manage_budgets',
  params: Type.Object({ org_id: Id, budget_id: Id }),
  success: { status: 204, description: 'Removed.' },
  errors: ['budget_not_found'],
  handle: async ({ db, params }) => {
    await removeBudget(db, { organizationId: params.org_id, budgetId: params.budget_id })
  },
})
