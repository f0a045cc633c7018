import { listModelProviders } from '#domain/repos/model-providers/list-model-providers.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentModelProvider } from '#http/present/present-model-provider.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listModelProvidersRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/model-providers`,
  operationId: 'listModelProviders',
  tag: 'Model providers',
  summary: 'List model providers of the organization',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of model providers, by name.', component: 'ModelProviderPage' },
  handle: async ({ db, params, query }) => {
    const { skip, limit } = query
    const { items, total } = await listModelProviders(db, { organizationId: params.org_id, skip, limit })
    return pageOf({ items: items.map(presentModelProvider), total }, query)
  },
})
