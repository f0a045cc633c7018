import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'

export type Renewed = {
  /** Whether this process counts in memory; null if its lease has ended. */
  isInMemory: boolean | null
  /** The other living processes, and whether one of them counts in memory. */
  others: number
  isOtherInMemory: boolean
}

/** Renews the lease of this process among those that count requests, unless it has ended, and counts the others. */
export function renewCounter(db: Db, { id }: { id: string }): Promise<Renewed> {
  return one<Renewed>(
    db,
    `with renewed as (
       update rate_counters set alive_until = clock_timestamp() + $2 * interval '1 millisecond'
       where id = $1 and alive_until > clock_timestamp() returning in_memory)
     select (select in_memory from renewed) as "isInMemory", count(*)::int as others,
       coalesce(bool_or(in_memory), false) as "isOtherInMemory"
     from rate_counters where id <> $1 and alive_until > clock_timestamp()`,
    [id, limits.counterLeaseMs],
  )
}
