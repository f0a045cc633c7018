import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { pullColumns, type Pull } from './pull.ts'

export async function getPull(
  db: Db,
  { organizationId, pullId }: { organizationId: number; pullId: number },
): Promise<Pull> {
  const pull = await maybeOne<Pull>(db, `select ${pullColumns} from pulls where organization_id = $1 and id = $2`, [
    organizationId,
    pullId,
  ])
  if (!pull) throw new AppError('pull_not_found')
  return pull
}
