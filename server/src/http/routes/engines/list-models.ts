import { openModelProviders } from '#domain/repos/model-providers/open-model-providers.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listModelsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/models`,
  operationId: 'listModels',
  tag: 'Engines',
  summary: 'List models and whether they are available',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of models.', component: 'ModelPage' },
  handle: async ({ app, db, params, query, caller }) => {
    const organizationId = params.org_id
    const { userId } = caller
    const models = await app.listModels(await openModelProviders(db, app.secretBox, { organizationId, userId }))
    return pageOf({ items: models.slice(query.skip, query.skip + query.limit), total: models.length }, query)
  },
})
