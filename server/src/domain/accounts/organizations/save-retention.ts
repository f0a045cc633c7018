import type { Db } from '#db/pool.ts'
import type { Retention } from './organization.ts'

/** What is left out stays as it is. What is kept for a shorter time from now on is looked for soon: how far the last look came still holds. */
export async function saveRetention(
  db: Db,
  { organizationId, retention }: { organizationId: number; retention: Partial<Retention> },
): Promise<void> {
  for (const [part, days] of Object.entries(retention)) {
    if (days === null)
      await db.query('delete from retention where organization_id = $1 and part = $2', [organizationId, part])
    else
      await db.query(
        `insert into retention (organization_id, part, days) values ($1, $2, $3)
         on conflict (organization_id, part) do update set days = excluded.days, due_at = now()`,
        [organizationId, part, days],
      )
  }
}
