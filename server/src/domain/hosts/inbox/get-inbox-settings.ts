import { maybeOne, type Db } from '#db/pool.ts'
import type { NotificationKind } from './notification.ts'

export type InboxSettings = { muted: NotificationKind[] }

/** What a person has chosen for their inbox in one organization. */
export async function getInboxSettings(
  db: Db,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<InboxSettings> {
  const saved = await maybeOne<InboxSettings>(
    db,
    'select muted from inbox_settings where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  )
  return saved ?? { muted: [] }
}
