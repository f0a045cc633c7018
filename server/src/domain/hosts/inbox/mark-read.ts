import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { itemColumns, itemTables, type InboxItem } from './notification.ts'

export type MarkRead = {
  organizationId: number
  userId: number
  notificationId: number
  /** Whether all that this person was told before it is read too. */
  andOlder: boolean
}

/** Keeps that a person has read a notification of theirs. Throws `notification_not_found`. */
export async function markRead(
  db: Db,
  { organizationId, userId, notificationId, andOlder }: MarkRead,
): Promise<InboxItem> {
  return inTransaction(db, async (tx) => {
    const known = await maybeOne(
      tx,
      'select from notifications where organization_id = $1 and user_id = $2 and id = $3',
      [organizationId, userId, notificationId],
    )
    if (!known) throw new AppError('notification_not_found')
    await tx.query(
      `update notifications set read_at = now()
       where organization_id = $1 and user_id = $2 and (id = $3 or $4 and id < $3) and read_at is null`,
      [organizationId, userId, notificationId, andOlder],
    )
    return one<InboxItem>(tx, `select ${itemColumns} from ${itemTables} where n.organization_id = $1 and n.id = $2`, [
      organizationId,
      notificationId,
    ])
  })
}
