import { AppError } from '#base/errors.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { fixerState } from '#domain/hosts/fixer.ts'
import { advanceFixer } from './advance-fixer.ts'

export type BanRun = RunIds & {
  /** `banned`: it fixes no more checks. `removed`: it also stops what it is doing there. */
  type: 'banned' | 'removed' | 'unbanned'
  userId: number
  at: Date
}

/**
 * Sends a run away from its pull requests, or takes it back, as if it were new there. Twice is as once. Throws
 * `run_not_found`, `conflict` where it has opened none.
 */
export async function banRun(db: Db, { organizationId, runId, type, userId, at }: BanRun): Promise<Run> {
  return inTransaction(db, async (tx) => {
    await getRun(tx, { organizationId, runId })
    const agents = await rows<{ pullId: number; suspended: string | null }>(tx, agentsOfRun, [organizationId, runId])
    if (!agents.length) throw new AppError('conflict', { message: `Run ${runId} has not opened a pull request.` })
    for (const { pullId, suspended } of agents) {
      if (suspended === type) continue
      await advanceFixer(tx, { organizationId, pullId, events: [{ type, at: at.getTime() }], userId })
    }
    const run = await getRun(tx, { organizationId, runId })
    if (type !== 'removed' || hasEnded(run)) return run
    return cancelRun(tx, { organizationId, runId, userId })
  })
}

const agentsOfRun = `select pull_id, ${fixerState()}->>'suspended' as suspended from pull_agents
  where organization_id = $1 and run_id = $2 order by pull_id`
