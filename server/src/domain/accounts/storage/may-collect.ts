import { maybeOne, type Db } from '#db/pool.ts'

/** Any number that nothing else locks. A backup holds it alone, for as long as its session lasts; who collects shares it. */
export const collectingLock = 727_005

/**
 * Whether what nothing refers to any more may be removed: not while a backup is made, which copies what its snapshot refers to. In a
 * transaction no backup begins to copy before that ends.
 */
export async function mayCollect(db: Db): Promise<boolean> {
  return (await maybeOne(db, 'select where pg_try_advisory_xact_lock_shared($1)', [collectingLock])) !== undefined
}
