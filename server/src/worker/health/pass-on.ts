import type { App } from '#app/app.ts'
import type { RunError } from '#domain/runs/run.ts'
import { recordNodeFault } from '#domain/runs/runs/record-node-fault.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { nodeFaults } from '#domain/runs/workers/node-fault.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'
import { mayBeOurs } from './may-be-ours.ts'
import { nodeHealthOf } from './node-health.ts'
import { mayBeTheDisk } from './require-disk.ts'

/**
 * Throws where a turn failed by a fault of this machine, so that another worker goes on with it. One that workers have
 * failed too often ends, and says why: `failure`, with what happened last.
 */
export async function passOn(
  app: App,
  error: unknown,
  { holder, failure }: { holder: Holder; failure: RunError },
): Promise<RunError> {
  // What the sandbox may use is the run's own affair, wherever it works.
  if (failure.code === 'disk_full' || failure.code === 'out_of_memory') return failure
  const health = nodeHealthOf(app)
  const fault = mayBeTheDisk(error)
    ? await health.blameDisk()
    : await health.blame(error, { isUnsure: mayBeOurs(error) })
  if (!fault) return failure
  const { count, isSpent } = await recordNodeFault(app.pool, holder)
  app.telemetry.metrics.nodeFaults.inc({ fault })
  app.logger.warn({ event: 'run_failed_by_node', err: error, runId: holder.runId, fault, count }, 'a run failed here')
  if (!isSpent) throw new TurnStopped('unfit')
  return {
    ...failure,
    retryable: true,
    message: `Workers failed to execute this run ${count} times in a row, most recently because ${nodeFaults[fault]}: ${failure.message} The run itself is not at fault. An operator has to check the workers.`,
  }
}
