import { randomBytes } from 'node:crypto'
import type { Json } from '#base/json.ts'
import { SecretBox } from '#base/secrets/secret-box.ts'
import { one, rows, type Db } from '#db/pool.ts'

const KEY_BYTES = 32

/** What an organization's data key is sealed for. */
export function dataKeyOf(organizationId: number): Json {
  return ['data key', organizationId]
}

/** Those of all organizations, as they are stored. */
export function listDataKeys(db: Db): Promise<{ organizationId: number; sealed: Buffer }[]> {
  return rows<{ organizationId: number; sealed: Buffer }>(
    db,
    'select organization_id, sealed from data_keys order by organization_id',
  )
}

/** What the organization's secrets are sealed with. Throws for one that `box` did not seal. */
export function openDataKey(
  box: SecretBox,
  { organizationId, sealed }: { organizationId: number; sealed: Buffer },
): SecretBox {
  const key = box.open(sealed, dataKeyOf(organizationId))
  if (!key) throw new Error(`the secrets of organization ${organizationId} were sealed with another secret key`)
  return new SecretBox(key)
}

/** The same, made where the organization has none yet, and held by this transaction until it ends. */
export async function takeDataKey(
  tx: Db,
  box: SecretBox,
  { organizationId }: { organizationId: number },
): Promise<SecretBox> {
  const fresh = box.seal(randomBytes(KEY_BYTES), dataKeyOf(organizationId))
  const insertion = 'insert into data_keys (organization_id, sealed) values ($1, $2) on conflict do nothing'
  await tx.query(insertion, [organizationId, fresh])
  const { sealed } = await one<{ sealed: Buffer }>(
    tx,
    'select sealed from data_keys where organization_id = $1 for update',
    [organizationId],
  )
  return openDataKey(box, { organizationId, sealed })
}
