import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'

export type RemoveDeployKey = { organizationId: number; repoId: number; deployKeyId: number }

/** Nothing more is fetched or pushed with it. Throws `repo_not_found`, `deploy_key_not_found`. */
export async function removeDeployKey(db: Db, { organizationId, repoId, deployKeyId }: RemoveDeployKey): Promise<void> {
  await getRepo(db, { organizationId, repoId })
  const { rowCount } = await db.query(
    'delete from deploy_keys where organization_id = $1 and repo_id = $2 and id = $3',
    [organizationId, repoId, deployKeyId],
  )
  if (!rowCount) throw new AppError('deploy_key_not_found')
}
