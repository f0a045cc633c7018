import { one, rows, type Db } from '#db/pool.ts'
import { getPull } from './get-pull.ts'
import { pullCommentColumns, type PullComment } from './pull-comment.ts'

export type ListPullComments = { organizationId: number; pullId: number; skip: number; limit: number }

/** The oldest first. Throws `pull_not_found`. */
export async function listPullComments(
  db: Db,
  { organizationId, pullId, skip, limit }: ListPullComments,
): Promise<{ items: PullComment[]; total: number }> {
  await getPull(db, { organizationId, pullId })
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from pull_comments where organization_id = $1 and pull_id = $2',
    [organizationId, pullId],
  )
  const items = await rows<PullComment>(
    db,
    `select ${pullCommentColumns} from pull_comments where organization_id = $1 and pull_id = $2 order by id offset $3 limit $4`,
    [organizationId, pullId, skip, limit],
  )
  return { items, total }
}
