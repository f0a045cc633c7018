import { rows, type Db } from '#db/pool.ts'
import type { MemberKey, MemberKeyIds } from './member-key.ts'

/** The keys that a member has in an organization, by their model providers. */
export async function listMemberKeys(
  db: Db,
  { organizationId, userId }: Pick<MemberKeyIds, 'organizationId' | 'userId'>,
): Promise<Map<number, MemberKey>> {
  const keys = await rows<MemberKey>(
    db,
    'select model_provider_id, last4, updated_at from member_model_keys where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  )
  return new Map(keys.map((key) => [key.modelProviderId, key]))
}
