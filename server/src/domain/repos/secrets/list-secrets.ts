import { one, rows, type Db } from '#db/pool.ts'
import { requireRepo } from './require-repo.ts'
import { secretColumns, type SecretHead, type SecretPlace } from './secret.ts'

export type ListSecrets = SecretPlace & { skip: number; limit: number }

/** A page of the secrets that are kept at one place, by name. Throws `repo_not_found`. */
export async function listSecrets(
  db: Db,
  { organizationId, repoId, skip, limit }: ListSecrets,
): Promise<{ items: SecretHead[]; total: number }> {
  await requireRepo(db, { organizationId, repoId })
  const items = await rows<SecretHead>(
    db,
    `select ${secretColumns} from secrets where organization_id = $1 and repo_id is not distinct from $2
     order by name offset $3 limit $4`,
    [organizationId, repoId, skip, limit],
  )
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from secrets where organization_id = $1 and repo_id is not distinct from $2',
    [organizationId, repoId],
  )
  return { items, total }
}
