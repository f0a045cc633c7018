import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'
import type { EventPlace } from '#domain/runs/events/list-changed-runs.ts'
import { notificationColumns, type Notification } from './notification.ts'

export type ListNotifications = {
  organizationId: number
  /** Null: from the oldest that is kept. */
  after: NotificationPlace | null
}

/** How far a channel has read. A transaction that ends late cannot put anything before it. */
export type NotificationPlace = { xid: EventPlace; id: number }

/**
 * The next notifications of an organization, for a channel other than the inbox, each once, and the place to go on from. In the
 * order of their transactions, and only from those before which no other is still open.
 */
export async function listNotifications(
  db: Db,
  { organizationId, after }: ListNotifications,
): Promise<{ notifications: Notification[]; place: NotificationPlace | null }> {
  const found = await rows<Notification & { xid: EventPlace }>(
    db,
    `select ${notificationColumns}, n.xid::text as xid from notifications n
     where n.organization_id = $1 and n.xid < pg_snapshot_xmin(pg_current_snapshot())
       and ($2::xid8 is null or (n.xid, n.id) > ($2::xid8, $3::bigint))
     order by n.xid, n.id limit $4`,
    [organizationId, after?.xid ?? null, after?.id ?? 0, limits.pageSizeMax],
  )
  const last = found.at(-1)
  return {
    notifications: found.map(withoutXid),
    place: last ? { xid: last.xid, id: last.id } : after,
  }
}

function withoutXid(found: Notification & { xid: EventPlace }): Notification {
  const { xid: _, ...notification } = found
  return notification
}
