import type { Db } from '#db/pool.ts'
import type { StorageLimits } from './storage.ts'

/** What the operator lets each scope and the log of a run take up, for all processes: those of the process that has started last count. */
export async function saveStorageLimits(db: Db, limits: StorageLimits): Promise<void> {
  await db.query(
    `insert into storage_limits (scope, bytes) select * from unnest($1::text[], $2::bigint[])
     on conflict (scope) do update set bytes = excluded.bytes where storage_limits.bytes <> excluded.bytes`,
    [Object.keys(limits), Object.values(limits)],
  )
}
