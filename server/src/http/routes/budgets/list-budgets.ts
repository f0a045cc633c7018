import { listBudgets } from '#domain/runs/budgets/list-budgets.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentBudget } from '#http/present/present-budget.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listBudgetsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/budgets`,
  operationId: 'listBudgets',
  tag: 'Organizations',
  summary: 'List budgets and their spending',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of budgets.', component: 'BudgetPage' },
  handle: async ({ db, params, query }) => {
    const { items, total } = await listBudgets(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map(presentBudget), total }, query)
  },
})
