import { one, rows, type Db } from '#db/pool.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { reviewColumns, type Review } from './review.ts'

export type ListReviews = { organizationId: number; pullId: number; skip: number; limit: number }

/** The oldest first. Throws `pull_not_found`. */
export async function listReviews(
  db: Db,
  { organizationId, pullId, skip, limit }: ListReviews,
): Promise<{ items: Review[]; total: number }> {
  await getPull(db, { organizationId, pullId })
  const of = 'from pull_reviews where organization_id = $1 and pull_id = $2'
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${of}`, [organizationId, pullId])
  const items = await rows<Review>(db, `select ${reviewColumns} ${of} order by id offset $3 limit $4`, [
    organizationId,
    pullId,
    skip,
    limit,
  ])
  return { items, total }
}
