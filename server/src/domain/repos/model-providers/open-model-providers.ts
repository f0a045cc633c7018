import type { OwnProvider, OwnProviders } from '#base/models/own-provider.ts'
import { Secret } from '#base/secrets/secret.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import { openDataKey } from '#domain/repos/secrets/data-key.ts'
import { memberKeyPlace } from './member-key.ts'
import { modelKeyPlace, modelProviderColumns, type ModelProvider } from './model-provider.ts'

type Stored = ModelProvider & {
  sealed: Buffer | null
  dataKey: Buffer | null
  isRemoved: boolean
  memberId: number | null
  memberSealed: Buffer | null
  memberKeyAt: Date | null
}

/** `userId`, `runId`: of whom, or of whoever started which run, keys stand in for the organization's. */
export type OpenModelProviders = { organizationId: number; userId?: number | null; runId?: number | null }

/** All model providers of an organization with their keys, for who asks models. By name. */
export async function openModelProviders(
  db: Db,
  box: SecretBox,
  { organizationId, userId = null, runId = null }: OpenModelProviders,
): Promise<OwnProviders> {
  const stored = await rows<Stored>(db, all, [organizationId, userId, runId])
  const items = stored.filter(({ isRemoved }) => !isRemoved).map((one) => open(box, organizationId, one))
  const names = new Set(items.map(({ name }) => name))
  const removed = stored.flatMap(({ name, isRemoved }) => (isRemoved && !names.has(name) ? [name] : []))
  return { organizationId, items, removed: [...new Set(removed)] }
}

const all = {
  name: 'open-model-providers',
  text: `select ${modelProviderColumns}, sealed, removed_at is not null as "isRemoved",
      (select k.sealed from data_keys k where k.organization_id = model_providers.organization_id) as "dataKey",
      member_id, member_sealed, member_key_at
    from model_providers left join (
      select model_provider_id, user_id, sealed, updated_at from member_model_keys
      where organization_id = $1 and user_id = coalesce($2, (select r.user_id from runs r where r.organization_id = $1 and r.id = $3)))
      as k (model_provider_id, member_id, member_sealed, member_key_at) on model_provider_id = id
    where organization_id = $1 order by name, id`,
}

function open(box: SecretBox, organizationId: number, stored: Stored): OwnProvider {
  const { id, name, kind, baseUrl, models, inputUsd, outputUsd, updatedAt, memberId, memberKeyAt, memberKeysOnly } =
    stored
  const price = inputUsd === null || outputUsd === null ? null : { inputUsd, outputUsd }
  const apiKey = openKey(box, organizationId, stored)
  const version = [id, updatedAt.getTime(), ...(memberKeyAt ? [memberId, memberKeyAt.getTime()] : [])].join(' ')
  return { name, kind, baseUrl, apiKey, lacksKey: memberKeysOnly && !apiKey, models, price, version }
}

/** The member's, else the organization's. */
function openKey(box: SecretBox, organizationId: number, stored: Stored): Secret | undefined {
  const { name, dataKey, memberId, memberSealed } = stored
  const sealed = memberSealed ?? stored.sealed
  if (!sealed) return undefined
  const place =
    memberSealed && memberId !== null
      ? memberKeyPlace({ organizationId, userId: memberId }, stored)
      : modelKeyPlace(organizationId, name)
  const key = dataKey && openDataKey(box, { organizationId, sealed: dataKey }).open(sealed, place)
  if (!key)
    throw new Error(`the key of model provider ${name} of organization ${organizationId} was changed in the database`)
  return new Secret(key.toString())
}
