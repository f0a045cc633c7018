import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import { listInstalls } from '#domain/runs/engine-installs/list-installs.ts'
import { orderInstall } from '#domain/runs/engine-installs/order-install.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { presentEngine } from '#http/present/present-engine.ts'
import { Id } from '#http/schemas/fields.ts'

export const installEngineRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/engines/:engine/install`,
  operationId: 'installEngine',
  tag: 'Engines',
  summary: 'Install or update an engine',
  description:
    'Every machine of the service begins within seconds and takes minutes. `GET …/engines` says how far each is, and why one has failed. Runs that have begun keep what they have.',
  policy: 'standard',
  access: 'install_engines',
  params: Type.Object({ org_id: Id, engine: Type.String({ maxLength: 100 }) }),
  success: { status: 200, description: 'The engine, about to be installed.', component: 'Engine' },
  errors: ['engine_unavailable', 'conflict'],
  isInstanceWide: true,
  handle: async ({ app, db, params }) => {
    const { engine: name, org_id: organizationId } = params
    const engine = app.engines.get(name)
    if (!engine?.package)
      throw new AppError('engine_unavailable', { message: `There is no engine "${name}" that can be installed.` })
    const { mayInstall } = app.config.engines
    if (!mayInstall)
      throw new AppError('conflict', {
        message: `Whoever runs this service installs engines there: "runwright engines install ${name}".`,
      })
    await orderInstall(db, { engine: name })
    const hasOwnModels = await hasModelProvider(db, { organizationId })
    return presentEngine(name, { engine, hasOwnModels, installs: await listInstalls(db), mayInstall })
  },
})
