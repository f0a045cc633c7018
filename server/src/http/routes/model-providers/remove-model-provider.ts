import { Type } from 'typebox'
import { removeModelProvider } from '#domain/repos/model-providers/remove-model-provider.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeModelProviderRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/model-providers/:model_provider_id`,
  operationId: 'removeModelProvider',
  tag: 'Model providers',
  summary: 'Remove a model provider',
  description: 'Its key is deleted at once. Runs that name one of its models end with `no_model`.',
  policy: 'standard',
  access: 'manage_model_providers',
  params: Type.Object({ org_id: Id, model_provider_id: Id }),
  success: { status: 204, description: 'Removed.' },
  errors: ['model_provider_not_found'],
  handle: async ({ db, params }) => {
    await removeModelProvider(db, { organizationId: params.org_id, modelProviderId: params.model_provider_id })
  },
})
