import type { OwnProvider, OwnProviders } from '#base/models/own-provider.ts'
import { Secret } from '#base/secrets/secret.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import { openDataKey } from '#domain/repos/secrets/data-key.ts'
import { modelKeyPlace, modelProviderColumns, type ModelProvider } from './model-provider.ts'

type Stored = ModelProvider & { sealed: Buffer | null; dataKey: Buffer | null; isRemoved: boolean }

/** All model providers of an organization with their keys, for who asks models. By name. */
export async function openModelProviders(
  db: Db,
  box: SecretBox,
  { organizationId }: { organizationId: number },
): Promise<OwnProviders> {
  const stored = await rows<Stored>(db, all, [organizationId])
  const items = stored.filter(({ isRemoved }) => !isRemoved).map((one) => open(box, organizationId, one))
  const names = new Set(items.map(({ name }) => name))
  const removed = stored.flatMap(({ name, isRemoved }) => (isRemoved && !names.has(name) ? [name] : []))
  return { organizationId, items, removed: [...new Set(removed)] }
}

const all = {
  name: 'open-model-providers',
  text: `select ${modelProviderColumns}, sealed, removed_at is not null as "isRemoved",
      (select k.sealed from data_keys k where k.organization_id = model_providers.organization_id) as "dataKey"
    from model_providers where organization_id = $1 order by name, id`,
}

function open(box: SecretBox, organizationId: number, stored: Stored): OwnProvider {
  const { id, name, kind, baseUrl, models, inputUsd, outputUsd, sealed, dataKey, updatedAt } = stored
  const key =
    sealed && dataKey
      ? openDataKey(box, { organizationId, sealed: dataKey }).open(sealed, modelKeyPlace(organizationId, name))
      : null
  if (sealed && !key)
    throw new Error(`the key of model provider ${name} of organization ${organizationId} was changed in the database`)
  const price = inputUsd === null || outputUsd === null ? null : { inputUsd, outputUsd }
  const apiKey = key ? new Secret(key.toString()) : undefined
  return { name, kind, baseUrl, apiKey, models, price, version: `${id} ${updatedAt.getTime()}` }
}
