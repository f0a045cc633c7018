import { one, rows, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { deployKeyColumns, type DeployKey } from './deploy-key.ts'

export type ListDeployKeys = { organizationId: number; repoId: number; skip: number; limit: number }

/** Those of one repository, newest first. Throws `repo_not_found`. */
export async function listDeployKeys(
  db: Db,
  { organizationId, repoId, skip, limit }: ListDeployKeys,
): Promise<{ items: DeployKey[]; total: number }> {
  await getRepo(db, { organizationId, repoId })
  const which = 'organization_id = $1 and repo_id = $2'
  const values = [organizationId, repoId]
  const { total } = await one<{ total: number }>(db, `select count(*) as total from deploy_keys where ${which}`, values)
  const items = await rows<DeployKey>(
    db,
    `select ${deployKeyColumns} from deploy_keys where ${which} order by id desc limit $3 offset $4`,
    [...values, limit, skip],
  )
  return { items, total }
}
