import type { Db } from '#db/pool.ts'

/** `days`: null archives no more logs; those that are archived stay so. */
export type SaveLogArchiving = { organizationId: number; days: number | null }

/** Logs that are to be archived earlier from now on are looked for soon: how far the last look came still holds. */
export async function saveLogArchiving(db: Db, { organizationId, days }: SaveLogArchiving): Promise<void> {
  if (days === null) await db.query('delete from log_archiving where organization_id = $1', [organizationId])
  else
    await db.query(
      `insert into log_archiving (organization_id, days) values ($1, $2)
       on conflict (organization_id) do update set days = excluded.days, due_at = now()`,
      [organizationId, days],
    )
}
