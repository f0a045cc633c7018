import { maybeOne, type Db } from '#db/pool.ts'

/** Whether no other process deletes; then none does until this transaction ends. */
export async function isAlone(tx: Db): Promise<boolean> {
  return (await maybeOne(tx, 'select where pg_try_advisory_xact_lock($1)', [lockId])) !== undefined
}

/** Any number that nothing else locks. */
const lockId = 727_004
