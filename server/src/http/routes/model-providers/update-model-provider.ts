import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { getModelProvider } from '#domain/repos/model-providers/get-model-provider.ts'
import { listMemberKeys } from '#domain/repos/model-providers/list-member-keys.ts'
import { openModelProviders } from '#domain/repos/model-providers/open-model-providers.ts'
import { updateModelProvider } from '#domain/repos/model-providers/update-model-provider.ts'
import { checkModelProvider, invalid, readModelKey } from '#http/input/check-model-provider.ts'
import { requireModels } from '#http/input/try-models.ts'
import { presentModelProvider } from '#http/present/present-model-provider.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'
import { ModelProviderChange } from '#http/schemas/model-provider.ts'

export const updateModelProviderRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/model-providers/:model_provider_id`,
  operationId: 'updateModelProvider',
  tag: 'Model providers',
  summary: 'Update a model provider',
  description:
    'Omitted fields are left unchanged. A new address needs its key with it, and forgets the keys of members. Runs use the new values from their next request on.',
  policy: 'standard',
  access: 'manage_model_providers',
  params: Type.Object({ org_id: Id, model_provider_id: Id }),
  body: ModelProviderChange,
  success: { status: 200, description: 'The model provider.', component: 'ModelProvider' },
  errors: ['model_provider_not_found', 'model_provider_failed', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const ids = { organizationId: params.org_id, modelProviderId: params.model_provider_id }
    const before = await getModelProvider(db, ids)
    const { items } = await openModelProviders(db, app.secretBox, ids)
    const stored = items.find(({ name }) => name === before.name)
    if (!stored) throw new AppError('model_provider_not_found')
    const key = body.key == null ? body.key : readModelKey(body.key)
    const { base_url: baseUrl = before.baseUrl, models = before.models, check = true } = body
    const { member_keys_only: memberKeysOnly = before.memberKeysOnly } = body
    const { input_usd: inputUsd = before.inputUsd, output_usd: outputUsd = before.outputUsd } = body
    // Else whoever may change the address could have the key sent to a server of theirs.
    if (baseUrl !== before.baseUrl && before.hasKey && key === undefined && !memberKeysOnly)
      throw invalid('key', 'A new address needs the key with it: the stored one is not sent elsewhere.')
    const kept = memberKeysOnly ? undefined : stored.apiKey
    const apiKey = key === undefined ? kept : (key ?? undefined)
    const provider = { ...stored, baseUrl, apiKey, lacksKey: memberKeysOnly }
    checkModelProvider(provider, { inputUsd, outputUsd })
    const isElsewhere = baseUrl !== before.baseUrl || key !== undefined
    if (check && isElsewhere && !memberKeysOnly)
      await requireModels(app, { organizationId: ids.organizationId, provider })
    const changes = { baseUrl, memberKeysOnly, models, inputUsd, outputUsd, ...(key !== undefined && { key }) }
    const update = { ...ids, from: before.baseUrl, changes }
    const updated = await updateModelProvider(db, app.secretBox, update)
    const keys = await listMemberKeys(db, { ...ids, userId: caller.userId })
    return presentModelProvider(updated, keys.get(updated.id))
  },
})
