import type { Db } from '#db/pool.ts'
import { getModelProvider } from './get-model-provider.ts'
import type { MemberKeyIds } from './member-key.ts'

/** Forgets the key of a member for a model provider, if there is one. Throws `model_provider_not_found`. */
export async function removeMemberKey(db: Db, ids: MemberKeyIds): Promise<void> {
  await getModelProvider(db, ids)
  await db.query(
    'delete from member_model_keys where organization_id = $1 and model_provider_id = $2 and user_id = $3',
    [ids.organizationId, ids.modelProviderId, ids.userId],
  )
}
