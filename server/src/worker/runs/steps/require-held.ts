import type { App } from '#app/app.ts'
import { stillHeld } from '#domain/runs/runs/still-held.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

/** Throws `LeaseLost` unless this lease holds the run now. */
export async function requireHeld(app: Pick<App, 'pool'>, holder: Holder): Promise<void> {
  if (!(await stillHeld(app.pool, holder))) throw new LeaseLost(holder.runId)
}
