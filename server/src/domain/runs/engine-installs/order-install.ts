import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import type { Db } from '#db/pool.ts'

/** Has an engine installed, or updated, on every machine. */
export async function orderInstall(db: Db, { engine }: { engine: string }): Promise<void> {
  await db.query(
    `insert into engine_orders (engine) values ($1)
     on conflict (engine) do update set ordered_at = now()`,
    [engine],
  )
  await wakeWorkers(db, { engines: true })
}
