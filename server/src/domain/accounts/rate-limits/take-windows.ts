import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { KeptWindow } from './window.ts'

/**
 * Takes all counts out of the database, for a process that is the only one, and answers what `keep` makes of them at
 * once, because ages grow on the way. Undefined, and nothing taken, if it is not the only one.
 */
export function takeWindows<T>(
  db: Db,
  { id, keep }: { id: string; keep: (kept: KeptWindow[]) => T },
): Promise<T | undefined> {
  return inTransaction(db, async (tx) => {
    // Nobody joins meanwhile; whoever joins afterwards sees that this one counts in memory.
    await tx.query('lock table rate_counters in exclusive mode')
    const { rowCount } = await tx.query(
      `update rate_counters set in_memory = true, alive_until = clock_timestamp() + $2 * interval '1 millisecond'
       where id = $1 and alive_until > clock_timestamp()
         and not exists (select from rate_counters o where o.id <> $1 and o.alive_until > clock_timestamp())`,
      [id, limits.counterLeaseMs],
    )
    if (!rowCount) return undefined
    // Waits for requests that are being charged; those that come later are turned away, for this one counts in memory.
    await tx.query('lock table rate_windows in exclusive mode')
    const kept = await rows<KeptWindow>(
      tx,
      `delete from rate_windows returning credential_id, policy,
         array(select (extract(epoch from clock_timestamp() - time) * 1000)::float8 from unnest(times) with ordinality as t (time, n) order by n) as "agesMs"`,
    )
    return keep(kept)
  })
}
