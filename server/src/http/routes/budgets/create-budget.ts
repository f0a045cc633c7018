import { Type } from 'typebox'
import { createBudget } from '#domain/runs/budgets/create-budget.ts'
import { presentBudget } from '#http/present/present-budget.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Cost, Id, Nullable, OrganizationParams } from '#http/schemas/fields.ts'
import { BudgetPeriod } from '#http/schemas/money.ts'

export const createBudgetRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/budgets`,
  operationId: 'createBudget',
  tag: 'Organizations',
  summary: 'Create a budget',
  description:
    'Limits the spending of the organization, one user, one repository, or one user in one repository. Spending earlier in the same period counts too.',
  policy: 'standard',
  access: 'manage_budgets',
  params: OrganizationParams,
  body: Type.Object({
    limit_usd: Cost,
    period: Type.Optional(BudgetPeriod),
    user_id: Type.Optional(Nullable(Id)),
    repo_id: Type.Optional(Nullable(Id)),
  }),
  success: { status: 201, description: 'The budget.', component: 'Budget' },
  errors: ['user_not_found', 'repo_not_found', 'conflict'],
  handle: async ({ db, params, body }) => {
    const budget = await createBudget(db, {
      organizationId: params.org_id,
      userId: body.user_id ?? null,
      repoId: body.repo_id ?? null,
      period: body.period ?? 'month',
      limitUsd: body.limit_usd,
    })
    return presentBudget(budget)
  },
})
