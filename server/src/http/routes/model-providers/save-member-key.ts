import { Type } from 'typebox'
import { getModelProvider } from '#domain/repos/model-providers/get-model-provider.ts'
import { saveMemberKey } from '#domain/repos/model-providers/save-member-key.ts'
import { readModelKey } from '#http/input/check-model-provider.ts'
import { requireModels } from '#http/input/try-models.ts'
import { presentMemberKey } from '#http/present/present-model-provider.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'
import { NewMemberKey } from '#http/schemas/model-provider.ts'

export const saveMemberKeyRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/model-providers/:model_provider_id/my-key`,
  operationId: 'saveMemberKey',
  tag: 'Model providers',
  summary: 'Set your own key for a model provider',
  description:
    'Runs that you start use it in place of the key of the organization, from their next request on. It is deleted when the address of the provider changes, and when you leave the organization.',
  policy: 'standard',
  access: 'manage_own_tokens',
  params: Type.Object({ org_id: Id, model_provider_id: Id }),
  body: NewMemberKey,
  success: { status: 200, description: 'The key, without its value.', component: 'MemberKey' },
  errors: ['model_provider_not_found', 'model_provider_failed', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const organizationId = params.org_id
    const ids = { organizationId, modelProviderId: params.model_provider_id, userId: caller.userId }
    const { base_url: baseUrl, check = true } = body
    const key = readModelKey(body.key)
    const stored = await getModelProvider(db, ids)
    const { name, kind, models } = stored
    const provider = { name, kind, baseUrl, apiKey: key, lacksKey: false, models, price: null, version: '' }
    // What its owner has named may be any address: it is asked only where the organization has it, too.
    if (check && stored.baseUrl === baseUrl) await requireModels(app, { organizationId, provider })
    return presentMemberKey(await saveMemberKey(db, app.secretBox, { ...ids, key, baseUrl }))
  },
})
