import type { App } from '#app/app.ts'
import type { ClaimedCheck } from '#domain/hosts/checks/start-check.ts'
import { recordCheckFault } from '#domain/hosts/checks/record-check-fault.ts'
import { nodeFaults } from '#domain/runs/workers/node-fault.ts'
import { mayBeOurs } from '#worker/health/may-be-ours.ts'
import { nodeHealthOf } from '#worker/health/node-health.ts'
import type { CheckOutcome } from './check-commit.ts'

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
  if (!isSpent) return 'passed_on'
  const summary = `Workers failed to run this check ${count} times in a row, most recently because ${nodeFaults[fault]}. The commit itself is not at fault. An operator has to check the workers.`
  return { conclusion: 'startup_failure', summary }
}
