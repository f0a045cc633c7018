import { limits } from '#base/limits.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { EndedTurn } from '#domain/runs/runs/finish-turn.ts'
import { releaseLostRuns } from '#domain/runs/runs/release-lost-runs.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { deadWorkers } from './living.ts'

/** Runs that one statement queues again: its locks are short. */
const atOnce = 200

export type Orphan = RunIds & { turn: number; workerId: number; leaseId: string; isLost: boolean }
export type SweepWorkers = {
  mask: Mask
  onFault: (fault: { runId: number; error: unknown }) => void
  /** Told of the turns that ended because they had lost too many workers, or were to stop. */
  onEnded?: (orphan: Orphan, ended: EndedTurn) => void
}

/**
 * Finds the runs of dead workers, those whose lease has ended or whose session is gone, and queues them again: many in one
 * statement, and those that do not simply go on each in a transaction of its own. One that cannot be released, or whose row somebody
 * else holds, does not keep the others waiting.
 * A restart of the database ends every session, and is not counted as a loss against the runs.
 * Answers how many were released.
 */
export async function sweepWorkers(db: Db, options: SweepWorkers): Promise<number> {
  const dead = (await rows<{ id: number }>(db, deadWorkers)).map(({ id }) => id)
  if (!dead.length) return 0
  await db.query(noteLost, [limits.lossesRememberedMs, dead])
  const orphans = await rows<Orphan>(
    db,
    `select organization_id, run_id, turn, worker_id, lease_id,
       not exists (select from workers w where w.id = run_heads.worker_id and w.started_at < pg_postmaster_start_time()) as "isLost"
     from run_heads where worker_id = any($1)`,
    [dead],
  )
  const released = await releaseOrphans(db, orphans, options)
  await db.query(buryWorkers, [dead, limits.buriedMs])
  return released
}

/** Releases runs whose worker is not even known any more. There should be none. */
export async function releaseStrayRuns(db: Db, options: SweepWorkers): Promise<number> {
  const strays = await rows<Orphan>(
    db,
    `select organization_id, run_id, turn, worker_id, lease_id, true as "isLost"
     from run_heads h where worker_id is not null and not exists (select from workers w where w.id = h.worker_id)`,
  )
  return releaseOrphans(db, strays, options)
}

async function releaseOrphans(db: Db, orphans: Orphan[], { mask, onFault, onEnded }: SweepWorkers): Promise<number> {
  const queued = await queueAgain(db, orphans)
  let released = queued.size
  for (const orphan of orphans.filter(({ runId }) => !queued.has(runId))) {
    try {
      const ended = await waitingForNobody(db, (tx) => releaseRun(tx, { ...orphan, mask }))
      if (ended) onEnded?.(orphan, ended)
      released++
    } catch (error) {
      onFault({ runId: orphan.runId, error })
    }
  }
  return released
}

/** Most go on as they were: a process may lose a thousand at once, and one by one they would wait for each other. */
async function queueAgain(db: Db, orphans: Orphan[]): Promise<Set<number>> {
  let queued = new Set<number>()
  for (let first = 0; first < orphans.length; first += atOnce) {
    const some = orphans.slice(first, first + atOnce)
    // What makes one of them fail, or wait, is found when each is released by itself.
    const again = waitingForNobody(db, (tx) => releaseLostRuns(tx, some)).catch(() => new Set<number>())
    queued = queued.union(await again)
  }
  return queued
}

/** In a transaction that fails where somebody holds what it needs. */
function waitingForNobody<T>(db: Db, act: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx.query(`set local lock_timeout = ${limits.sweepLockMs}`)
    return act(tx)
  })
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
  where d.id = any($2) and not d.draining
  on conflict do nothing`

/** A claim that began before its worker's lease had ended may come to light for a moment after; its run is found by this row. */
const buryWorkers = `
  with ended as (update workers set alive_until = now() where id = any($1) and alive_until > now())
  delete from workers d where d.id = any($1) and d.alive_until < now() - $2 * interval '1 millisecond'
    and not exists (select from run_heads where worker_id = d.id)`
