import type { Db } from '#db/pool.ts'

/** Removes windows that nothing was charged to for so long that they are empty. Waits for no request. */
export async function forgetSilent(db: Db, { silentMs }: { silentMs: number }): Promise<void> {
  await db.query(
    `delete from rate_windows where (credential_id, policy) in (
       select credential_id, policy from rate_windows
       where times[cardinality(times)] < clock_timestamp() - $1 * interval '1 millisecond' for update skip locked)`,
    [silentMs],
  )
}
