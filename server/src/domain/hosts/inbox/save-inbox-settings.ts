import type { Db } from '#db/pool.ts'
import type { InboxSettings } from './get-inbox-settings.ts'

export type SaveInboxSettings = InboxSettings & { organizationId: number; userId: number }

/** Replaces what a person has chosen for their inbox in one organization. */
export async function saveInboxSettings(db: Db, { organizationId, userId, muted }: SaveInboxSettings): Promise<void> {
  await db.query(
    `insert into inbox_settings (organization_id, user_id, muted) values ($1, $2, $3)
     on conflict (organization_id, user_id) do update set muted = excluded.muted`,
    [organizationId, userId, [...new Set(muted)]],
  )
}
