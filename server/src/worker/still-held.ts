import type { App } from '#app.ts'
import { limits } from '#base/limits.ts'
import { isHeld } from '#domain/runs/is-held.ts'
import { LeaseLost, type Holder } from '#domain/steps/step.ts'

/**
 * Whether this lease holds the run now. For what is done outside of the database, right before it is done: an answer that
 * was long under way, because this process was frozen meanwhile, says nothing of now and is asked for again.
 */
export async function stillHeld({ pool }: Pick<App, 'pool'>, holder: Holder): Promise<boolean> {
  for (;;) {
    const askedAt = performance.now()
    if (!(await isHeld(pool, holder))) return false
    if (performance.now() - askedAt < limits.freshMs) return true
  }
}

/** Throws `LeaseLost` unless it is. */
export async function requireHeld(app: Pick<App, 'pool'>, holder: Holder): Promise<void> {
  if (!(await stillHeld(app, holder))) throw new LeaseLost(holder.runId)
}
