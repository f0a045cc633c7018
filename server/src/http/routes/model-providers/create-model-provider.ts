import { createModelProvider } from '#domain/repos/model-providers/create-model-provider.ts'
import { checkModelProvider, readModelKey } from '#http/input/check-model-provider.ts'
import { requireModels } from '#http/input/try-models.ts'
import { presentModelProvider } from '#http/present/present-model-provider.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { NewModelProvider } from '#http/schemas/model-provider.ts'

export const createModelProviderRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/model-providers`,
  operationId: 'createModelProvider',
  tag: 'Model providers',
  summary: 'Add a model provider',
  description: 'Runs of the organization can then use its models, as `name/model`, with the key given here.',
  policy: 'standard',
  access: 'manage_model_providers',
  params: OrganizationParams,
  body: NewModelProvider,
  success: { status: 201, description: 'The model provider.', component: 'ModelProvider' },
  errors: ['model_provider_failed', 'conflict'],
  handle: async ({ app, db, params, body }) => {
    const organizationId = params.org_id
    const { name, kind, base_url: baseUrl = null, models = null, check = true } = body
    const { input_usd: inputUsd = null, output_usd: outputUsd = null } = body
    const { member_keys_only: memberKeysOnly = false } = body
    const key = body.key == null ? undefined : readModelKey(body.key)
    const provider = { name, kind, baseUrl, apiKey: key, lacksKey: memberKeysOnly, models, price: null, version: '' }
    checkModelProvider(provider, { inputUsd, outputUsd })
    if (check && !memberKeysOnly) await requireModels(app, { organizationId, provider })
    const made = { organizationId, key, name, kind, baseUrl, memberKeysOnly, models, inputUsd, outputUsd }
    return presentModelProvider(await createModelProvider(db, app.secretBox, made), undefined)
  },
})
