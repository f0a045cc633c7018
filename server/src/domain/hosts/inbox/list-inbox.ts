import { one, rows, type Db } from '#db/pool.ts'
import { itemColumns, itemTables, stillHolds, type InboxItem } from './notification.ts'

export type ListInbox = { organizationId: number; userId: number; skip: number; limit: number }

/** What one person is to know of now, newest first: what is answered, merged or over is left out, and so are muted kinds. */
export async function listInbox(
  db: Db,
  { organizationId, userId, skip, limit }: ListInbox,
): Promise<{ items: InboxItem[]; total: number }> {
  const from = `from ${itemTables}
    where n.organization_id = $1 and n.user_id = $2 and r.archived_at is null and ${stillHolds} and not exists (
      select from inbox_settings s where s.organization_id = $1 and s.user_id = $2 and n.kind = any(s.muted))`
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${from}`, [organizationId, userId])
  const page = `select ${itemColumns} ${from} order by n.id desc offset $3 limit $4`
  return { items: await rows<InboxItem>(db, page, [organizationId, userId, skip, limit]), total }
}
