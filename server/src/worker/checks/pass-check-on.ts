import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { ClaimedCheck } from '#domain/hosts/checks/claim-check.ts'
import { recordCheckFault } from '#domain/hosts/checks/record-check-fault.ts'
import { nodeFaults } from '#domain/runs/workers/node-fault.ts'
import { mayBeOurs } from '#worker/health/may-be-ours.ts'
import { nodeHealthOf } from '#worker/health/node-health.ts'
import type { CheckOutcome } from './check-commit.ts'

/** What each app leaves to others for a while, and until when. */
const avoided = new WeakMap<App, Map<number, number>>()

/** Checks that other workers come first for: what failed here may fail here again. */
export function avoidedChecks(app: App): number[] {
  const known = avoided.get(app) ?? new Map<number, number>()
  for (const [checkId, until] of known) if (until < performance.now()) known.delete(checkId)
  return [...known.keys()]
}

/**
 * Whether a check failed by a fault of this machine: then another worker runs it, and it loses no try. One that workers have
 * failed too often ends, and says why. Undefined where it failed by its own.
 */
export async function passCheckOn(
  app: App,
  { claimed, error }: { claimed: ClaimedCheck; error: unknown },
): Promise<CheckOutcome | 'passed_on' | 'lost' | undefined> {
  const fault = await nodeHealthOf(app).blame(error, { isUnsure: mayBeOurs(error) })
  if (!fault) return undefined
  const faults = await recordCheckFault(app.pool, claimed)
  if (!faults) return 'lost'
  const { checkId } = claimed
  const { count, isSpent } = faults
  app.telemetry.metrics.nodeFaults.inc({ fault })
  app.logger.warn({ event: 'check_failed_by_node', err: error, checkId, fault, count }, 'a check failed here')
  const known = avoided.get(app) ?? new Map<number, number>()
  avoided.set(app, known.set(checkId, performance.now() + limits.avoidedMs))
  if (!isSpent) return 'passed_on'
  const summary = `Workers failed to run this check ${count} times in a row, most recently because ${nodeFaults[fault]}. The commit itself is not at fault. An operator has to check the workers.`
  return { conclusion: 'startup_failure', summary }
}
