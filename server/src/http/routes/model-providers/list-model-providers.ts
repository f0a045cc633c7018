import { listMemberKeys } from '#domain/repos/model-providers/list-member-keys.ts'
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
  handle: async ({ db, params, query, caller }) => {
    const { skip, limit } = query
    const organizationId = params.org_id
    const { items, total } = await listModelProviders(db, { organizationId, skip, limit })
    const keys = await listMemberKeys(db, { organizationId, userId: caller.userId })
    return pageOf({ items: items.map((one) => presentModelProvider(one, keys.get(one.id))), total }, query)
  },
})
