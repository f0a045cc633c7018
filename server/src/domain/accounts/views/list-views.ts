import { one, rows, type Db } from '#db/pool.ts'
import type { View } from './view.ts'

export type ListViews = { organizationId: number; userId: number; skip: number; limit: number }

/** The views of one person, in the order in which they were made. */
export async function listViews(
  db: Db,
  { organizationId, userId, skip, limit }: ListViews,
): Promise<{ items: View[]; total: number }> {
  const ofPerson = 'from views where organization_id = $1 and user_id = $2'
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${ofPerson}`, [organizationId, userId])
  const page = `select id, name, query ${ofPerson} order by id offset $3 limit $4`
  return { items: await rows<View>(db, page, [organizationId, userId, skip, limit]), total }
}
