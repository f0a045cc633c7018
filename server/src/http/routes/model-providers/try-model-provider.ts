import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { getModelProvider } from '#domain/repos/model-providers/get-model-provider.ts'
import { openModelProviders } from '#domain/repos/model-providers/open-model-providers.ts'
import { tryModels } from '#http/input/try-models.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

const SHOWN_MAX = 100

export const tryModelProviderRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/model-providers/:model_provider_id/try`,
  operationId: 'tryModelProvider',
  tag: 'Model providers',
  summary: 'Try a model provider',
  description: 'Lists its models with the stored address, and your own key or that of the organization.',
  policy: 'standard',
  access: 'manage_model_providers',
  params: Type.Object({ org_id: Id, model_provider_id: Id }),
  success: { status: 200, description: 'Whether it can be used, and its models.', component: 'ModelProviderTrial' },
  errors: ['model_provider_not_found'],
  handle: async ({ app, db, params, caller }) => {
    const organizationId = params.org_id
    const { name } = await getModelProvider(db, { organizationId, modelProviderId: params.model_provider_id })
    const { items } = await openModelProviders(db, app.secretBox, { organizationId, userId: caller.userId })
    const provider = items.find((one) => one.name === name)
    if (!provider) throw new AppError('model_provider_not_found')
    const listed = await tryModels(app, { organizationId, provider })
    if (!Array.isArray(listed)) return { ok: false, error: listed.error, models: [], total: 0, missing: [] }
    const missing = (provider.models ?? []).filter((model) => !listed.includes(model))
    return { ok: true, error: null, models: listed.slice(0, SHOWN_MAX), total: listed.length, missing }
  },
})
