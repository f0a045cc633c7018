import { AppError } from '#base/errors.ts'
import type { Secret } from '#base/secrets/secret.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import { getModelProvider } from './get-model-provider.ts'
import { memberKeyPlace, type MemberKey, type MemberKeyIds } from './member-key.ts'

export type SaveMemberKey = MemberKeyIds & {
  key: Secret
  /** The address that its owner means it for. */
  baseUrl: string | null
}

/**
 * Stores the key of a member for a model provider, in place of the one before. Throws `model_provider_not_found`, `forbidden` for who
 * is no member, and `conflict` where the provider is at another address than its owner means.
 */
export async function saveMemberKey(
  db: Db,
  box: SecretBox,
  { key, baseUrl, ...ids }: SaveMemberKey,
): Promise<MemberKey> {
  const { organizationId, modelProviderId, userId } = ids
  return inTransaction(db, async (tx) => {
    // Whoever changes the address at the same moment waits here, or has been waited for.
    const dataKey = await takeDataKey(tx, box, ids)
    const provider = await getModelProvider(tx, ids)
    if (provider.baseUrl !== baseUrl)
      throw new AppError('conflict', {
        message: `The model provider ${provider.name} is at another address than the one that this key is for: look again.`,
      })
    const value = key.reveal()
    const sealed = dataKey.seal(Buffer.from(value), memberKeyPlace(ids, provider))
    const saved = await maybeOne<MemberKey>(
      tx,
      `insert into member_model_keys (organization_id, model_provider_id, user_id, sealed, last4)
       select organization_id, $2, user_id, $4, $5 from memberships where organization_id = $1 and user_id = $3
       on conflict (organization_id, model_provider_id, user_id)
         do update set sealed = excluded.sealed, last4 = excluded.last4, updated_at = now()
       returning model_provider_id, last4, updated_at`,
      [organizationId, modelProviderId, userId, sealed, value.slice(-4)],
    )
    if (!saved)
      throw new AppError('forbidden', { message: 'Only members of an organization have keys of their own in it.' })
    return saved
  })
}
