import { Type } from 'typebox'
import { removeMemberKey } from '#domain/repos/model-providers/remove-member-key.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeMemberKeyRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/model-providers/:model_provider_id/my-key`,
  operationId: 'removeMemberKey',
  tag: 'Model providers',
  summary: 'Remove your own key for a model provider',
  description: 'Runs that you started use the key of the organization from their next request on.',
  policy: 'standard',
  access: 'manage_own_tokens',
  params: Type.Object({ org_id: Id, model_provider_id: Id }),
  success: { status: 204, description: 'There is no such key any more.' },
  errors: ['model_provider_not_found'],
  handle: async ({ db, params, caller }) => {
    const ids = { organizationId: params.org_id, modelProviderId: params.model_provider_id }
    await removeMemberKey(db, { ...ids, userId: caller.userId })
  },
})
