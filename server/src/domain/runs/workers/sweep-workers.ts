import { limits } from '#base/limits.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { EndedTurn } from '#domain/runs/runs/finish-turn.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { living } from './living.ts'

export type Orphan = RunIds & { turn: number; workerId: number; leaseId: string; isLost: boolean }
export type SweepWorkers = {
  mask: Mask
  onFault: (fault: { runId: number; error: unknown }) => void
  /** Told of the turns that ended because they had lost too many workers, or were to stop. */
  onEnded?: (orphan: Orphan, ended: EndedTurn) => void
}

/**
 * Finds the runs of dead workers, those whose lease has ended or whose session is gone, and queues each again, in a
 * transaction of its own: one that cannot be released, or whose row somebody else holds, does not keep the others waiting.
 * A restart of the database ends every session, and is not counted as a loss against the runs.
 * Answers how many were released.
 */
export async function sweepWorkers(db: Db, { mask, onFault, onEnded }: SweepWorkers): Promise<number> {
  await db.query(noteLost, [limits.lossesRememberedMs])
  const orphans = await rows<Orphan>(
    db,
    `select organization_id, run_id, turn, worker_id, lease_id,
       not exists (select from workers w where w.id = run_heads.worker_id and w.started_at < pg_postmaster_start_time()) as "isLost"
     from run_heads where worker_id is not null and not exists (${living} and w.id = run_heads.worker_id)`,
  )
  let released = 0
  for (const orphan of orphans) {
    try {
      const ended = await inTransaction(db, async (tx) => {
        await tx.query(`set local lock_timeout = ${limits.sweepLockMs}`)
        return releaseRun(tx, { ...orphan, mask })
      })
      if (ended) onEnded?.(orphan, ended)
      released++
    } catch (error) {
      onFault({ runId: orphan.runId, error })
    }
  }
  await db.query(
    `delete from workers d where not exists (select from run_heads where worker_id = d.id) and not exists (${living} and w.id = d.id)`,
  )
  return released
}

/**
 * Whichever process says it first is heard. One that was told to end is not lost. One that lost the database with all others
 * is held against none of its runs: it speaks for them, because something else than a run ends processes here.
 */
const noteLost = `
  with forgotten as (delete from lost_workers where lost_at < now() - $1 * interval '1 millisecond')
  insert into lost_workers (worker_id, run_ids)
  select d.id, array(select run_id from run_heads where worker_id = d.id and d.started_at >= pg_postmaster_start_time())
  from workers d
  where not d.draining and not exists (${living} and w.id = d.id)
  on conflict do nothing`
