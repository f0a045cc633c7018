import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { isHeld } from './is-held.ts'

/**
 * Whether this lease holds the run now. For what is done outside of the database, right before it is done: an answer that
 * was long under way, because this process was frozen meanwhile, says nothing of now and is asked for again.
 */
export async function stillHeld(db: Db, holder: Omit<Holder, 'turn'>): Promise<boolean> {
  for (;;) {
    const askedAt = performance.now()
    if (!(await isHeld(db, holder))) return false
    if (performance.now() - askedAt < limits.freshMs) return true
  }
}
