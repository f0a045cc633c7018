import type { Mask } from '#base/redaction/redactor.ts'
import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { budgetReached } from '#domain/runs/budgets/hold-spent-run.ts'
import { findNextMessage } from '#domain/runs/messages/find-next-message.ts'
import { hasOpenQuestion } from './has-open-question.ts'
import { beginTurn } from './begin-turn.ts'
import { finishTurn, type EndedTurn } from './finish-turn.ts'
import { waitingForHost, type HostWait } from '#domain/runs/host-wait.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { waitingForRuns } from '#domain/runs/run-wait.ts'
import { lockRunHead, type RunHead } from '#domain/runs/run-head.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

export type ReleaseRun = RunIds & {
  leaseId: string
  /** True when its worker is lost; too many losses without a finished step in between end the run. */
  isLost: boolean
  /** What it is to wait for, as `recordHostWait` or `recordRunWait` has stored. */
  waitsFor?: 'host' | 'runs' | undefined
  mask: Mask
}

/**
 * Takes a run from its worker, if that lease still holds it: queued again, ahead of others; paused where that was asked
 * for or its money is spent, or its code host has failed it for too long, unless somebody has asked for more since, which is its next turn; waiting where a question of its turn is open, also when its worker was lost as it asked. Answers how its turn has
 * ended, if it has.
 */
export async function releaseRun(
  db: Db,
  { organizationId, runId, leaseId, isLost, waitsFor, mask }: ReleaseRun,
): Promise<EndedTurn | undefined> {
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (head.leaseId !== leaseId) return undefined
    const holder = { organizationId, runId, leaseId, turn: head.turn }
    if (head.wanted === 'cancel') return finishTurn(tx, { holder, end: { status: 'cancelled' }, entries: [], mask })
    const next =
      head.wanted && (await findNextMessage(tx, { organizationId, runId, turn: head.turn, isAfterStop: true }))
    const wait = waitsFor === 'host' && !head.wanted ? head.hostWait : null
    const runWait = waitsFor === 'runs' && !head.wanted ? head.runWait : null
    const notBefore = wait?.nextTryAt ?? runWait?.until ?? null
    const becomes = next ? 'paused' : await standingWithout(tx, { head, wait })
    if (isLost && becomes === 'queued' && (await isGivenUp(tx, head))) {
      const message = `The worker was lost ${head.claims} times in a row at the same step of this run, so it was not tried again.`
      const error = { code: 'worker_lost', message, retryable: true }
      return finishTurn(tx, {
        holder,
        end: { status: 'failed', error },
        entries: [{ messageType: 'ERROR', observation: message }],
        mask,
      })
    }
    await tx.query(
      `update run_heads set status = $4, status_detail = $5, worker_id = null, lease_id = null, priority = greatest(priority, 1),
         claims = claims - $3, wanted = null, held_at = case when $4 <> 'queued' or $8::timestamptz is not null then now() end, not_before = coalesce($8, now()),
         lost_at = case when $6 then ${lastSign('$7')} end, revision = revision + 1, updated_at = now()
       where organization_id = $1 and run_id = $2`,
      [
        organizationId,
        runId,
        isLost ? 0 : 1,
        becomes,
        wait ? waitingForHost : runWait ? waitingForRuns : detailOf(becomes, head),
        isLost,
        limits.leaseMs,
        notBefore,
      ],
    )
    await tx.query('update run_slots set running = running - 1 where organization_id = $1', [organizationId])
    if (next) await beginTurn(tx, { organizationId, runId })
    else await wakeWorkers(tx, { queued: true })
    return undefined
  })
}

/** Where workers were lost that did not hold this run, or the database was, something else ends processes, and the run was only beside it. */
async function isGivenUp(tx: Db, { runId, claims }: RunHead): Promise<boolean> {
  if (claims < limits.claimsWithoutProgressMax) return false
  if (claims >= limits.claimsWithoutProgressAmongLossesMax) return true
  const { areOthers } = await one<{ areOthers: boolean }>(
    tx,
    `select exists (select from lost_workers where lost_at > now() - $2 * interval '1 millisecond'
       and $1 <> all(run_ids)) as "areOthers"`,
    [runId, limits.lossesRememberedMs],
  )
  return !areOthers
}

/** When the worker last renewed its lease, or did a step of the run. */
export const lastSign = (leaseMs: string) =>
  `coalesce((select least(greatest(run_heads.progress_at, w.alive_until - ${leaseMs} * interval '1 millisecond'), now())
  from workers w where w.id = run_heads.worker_id), now())`

type Becomes = 'queued' | 'paused' | 'waiting_for_user'

async function standingWithout(tx: Db, { head, wait }: { head: RunHead; wait: HostWait | null }): Promise<Becomes> {
  if (wait) return wait.nextTryAt === null ? 'paused' : 'queued'
  if (head.wanted === 'pause') return 'paused'
  return (await hasOpenQuestion(tx, head)) ? 'waiting_for_user' : 'queued'
}

function detailOf(becomes: Becomes, { statusDetail }: RunHead): string | null {
  if (becomes === 'paused') return statusDetail === budgetReached ? budgetReached : null
  return becomes === 'queued' ? 'handed_over' : 'question'
}
