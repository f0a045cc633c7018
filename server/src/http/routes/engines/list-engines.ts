import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import { listInstalls } from '#domain/runs/engine-installs/list-installs.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { presentEngine } from '#http/present/present-engine.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listEnginesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/engines`,
  operationId: 'listEngines',
  tag: 'Engines',
  summary: 'List engines and whether they are available',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of engines.', component: 'EnginePage' },
  isInstanceWide: true,
  handle: async ({ app, db, params, query }) => {
    const hasOwnModels = await hasModelProvider(db, { organizationId: params.org_id })
    const { mayInstall } = app.config.engines
    const installs = await listInstalls(db)
    const engines = [...app.engines]
      .filter(([, engine]) => !engine.isUnlisted)
      .map(([name, engine]) => presentEngine(name, { engine, hasOwnModels, installs, mayInstall }))
    return pageOf({ items: engines.slice(query.skip, query.skip + query.limit), total: engines.length }, query)
  },
})
