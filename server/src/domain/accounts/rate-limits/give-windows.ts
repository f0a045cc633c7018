import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { KeptWindow } from './window.ts'

export type GiveWindows = { id: string; kept: () => KeptWindow[] }

/**
 * Makes this process one of those that count in the database, and hands over what it has counted by itself: `kept` is
 * asked as late as can be, because ages grow on the way. So times come out a little later than they were, never earlier.
 */
export function giveWindows(db: Db, { id, kept }: GiveWindows): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.query('lock table rate_counters in exclusive mode')
    await tx.query(
      `insert into rate_counters (id, alive_until, in_memory)
       values ($1, clock_timestamp() + $2 * interval '1 millisecond', false)
       on conflict (id) do update set alive_until = excluded.alive_until, in_memory = false`,
      [id, limits.counterLeaseMs],
    )
    await tx.query('delete from rate_counters where alive_until < clock_timestamp()')
    await tx.query('lock table rate_windows in exclusive mode')
    await tx.query(
      `insert into rate_windows as w (credential_id, policy, times)
       select "credentialId", policy,
         array(select clock_timestamp() - age * interval '1 millisecond' from unnest("agesMs") with ordinality as t (age, n) order by n)
       from json_to_recordset($1) as k ("credentialId" bigint, policy text, "agesMs" float8[])
       on conflict (credential_id, policy) do update
         set times = array(select time from unnest(w.times || excluded.times) as t (time) order by time)`,
      [JSON.stringify(kept())],
    )
  })
}
