import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { requireRepo } from './require-repo.ts'
import type { SecretPlace } from './secret.ts'

/** Throws `repo_not_found`, `secret_not_found`. */
export async function removeSecret(
  db: Db,
  { organizationId, repoId, name }: SecretPlace & { name: string },
): Promise<void> {
  await requireRepo(db, { organizationId, repoId })
  const { rowCount } = await db.query(
    'delete from secrets where organization_id = $1 and repo_id is not distinct from $2 and name = $3',
    [organizationId, repoId, name],
  )
  if (rowCount === 0) throw new AppError('secret_not_found')
}
