import type pg from 'pg'
import { deletionLimits } from '#base/deletion-limits.ts'
import { storageLimits } from '#base/storage-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { privateRepositoryPath } from '#domain/runs/git-access/get-run-branch.ts'
import { deleteRows } from './delete-rows.ts'
import { isAlone } from './is-alone.ts'
import type { DeletedKind, DeletedPart } from '#base/deleted-part.ts'

export type EmptyDeletions = {
  /** The repositories of this machine. */
  repositories: { removeRepository(repo: { organizationId: number; path: string }): Promise<void> }
  /** Told of what is gone: so many runs with the part, for one. */
  onDeleted: (kind: DeletedKind, count: number) => void
  workMs?: number
}

type Claimed = { organizationId: number; part: DeletedPart; runIds: number[]; askedAt: Date; privateIds: number[] }

/**
 * Removes the bytes of what was deleted, in short transactions, the oldest first, for a while. Each step may be repeated and may be cut
 * off anywhere: a row of `deletions` goes in the transaction that finds nothing left. Only for a process that has the repositories.
 */
export async function emptyDeletions(pool: pg.Pool, options: EmptyDeletions): Promise<void> {
  const { repositories, onDeleted, workMs = deletionLimits.workMs } = options
  const until = performance.now() + workMs
  const failed: Failed = { runIds: [], errors: [] }
  do {
    const found = await findOldest(pool, failed.runIds)
    const claimed = found && (await removeRepositories(repositories, found, failed))
    if (!claimed) break
    const isGone = await deleteSome(pool, claimed)
    if (isGone === undefined) break
    if (isGone) onDeleted(claimed.part, claimed.runIds.length)
  } while (performance.now() < until)
  if (failed.errors.length)
    throw new AggregateError(failed.errors, `${failed.errors.length} repositories of runs could not be removed`)
}

export const deletionsAreDue = 'exists (select from deletions)'

type Failed = { runIds: number[]; errors: unknown[] }

/** Before the rows: they tell which repository it was. A run whose repository stays keeps its rows, and no other run; answers the others. */
async function removeRepositories(
  repositories: EmptyDeletions['repositories'],
  { organizationId, privateIds, runIds, ...claimed }: Claimed,
  failed: Failed,
): Promise<Claimed> {
  for (const runId of privateIds)
    await repositories
      .removeRepository({ organizationId, path: privateRepositoryPath({ organizationId, runId }) })
      .catch((error: unknown) => {
        failed.runIds.push(runId)
        failed.errors.push(error)
      })
  const isLeft = (runId: number) => !failed.runIds.includes(runId)
  return { ...claimed, organizationId, runIds: runIds.filter(isLeft), privateIds: privateIds.filter(isLeft) }
}

/** Runs of one organization of which the same part is to go, without these. */
async function findOldest(db: Db, without: number[]): Promise<Claimed | undefined> {
  const [first, ...others] = await rows<{
    organizationId: number
    part: DeletedPart
    runId: number
    createdAt: Date
    isPrivate: boolean
  }>(
    db,
    `select d.organization_id, d.part, d.run_id, d.created_at,
       d.part in ('runs', 'repositories') and coalesce(r.repo_id is null, false) as "isPrivate"
     from (select organization_id, part from deletions where run_id <> all($2) order by created_at limit 1) oldest
       join deletions d on d.organization_id = oldest.organization_id and d.part = oldest.part
       left join runs r on r.organization_id = d.organization_id and r.id = d.run_id
     where d.run_id <> all($2) order by d.created_at limit $1`,
    [deletionLimits.runsMax, without],
  )
  if (!first) return undefined
  const all = [first, ...others]
  return {
    organizationId: first.organizationId,
    part: first.part,
    askedAt: first.createdAt,
    runIds: all.map(({ runId }) => runId).toSorted((a, b) => a - b),
    privateIds: all.filter(({ isPrivate }) => isPrivate).map(({ runId }) => runId),
  }
}

/** Whether nothing is left; undefined where another process is at it. */
async function deleteSome(pool: pg.Pool, claimed: Claimed): Promise<boolean | undefined> {
  return inTransaction(pool, async (tx) => {
    if (!(await isAlone(tx))) return undefined
    const { organizationId, runIds, part } = claimed
    // Nothing can refer to the runs any more from here on: who is still writing waits, and then finds none.
    await tx.query('select from runs where organization_id = $1 and id = any($2) order by id for update', [
      organizationId,
      runIds,
    ])
    if ((await deleteRows(tx, claimed)) > 0) return false
    if (part === 'runs') await forgetRuns(tx, claimed)
    else await giveBack(tx, claimed)
    await tx.query('delete from deletions where organization_id = $1 and part = $2 and run_id = any($3)', [
      organizationId,
      part,
      runIds,
    ])
    return true
  })
}

async function forgetRuns(tx: Db, claimed: Claimed): Promise<void> {
  const { organizationId, runIds } = claimed
  await giveBack(tx, claimed)
  await tx.query(`delete from storage where organization_id = $1 and scope = 'run' and id = any($2)`, [
    organizationId,
    runIds,
  ])
  // Commits that only these runs named may go, too.
  await tx.query(
    `with gone as (delete from runs where organization_id = $1 and id = any($2) returning repo_id)
     update storage s set look_at = coalesce(look_at, now() + $3 * interval '1 millisecond') from (select distinct repo_id from gone) g
     where s.organization_id = $1 and s.scope = 'repo' and s.id = g.repo_id`,
    [organizationId, runIds, storageLimits.lookMs],
  )
}

/** Counts for the organization what these runs took up no more: their logs and what they alone worked in. Blobs count as they are swept. */
async function giveBack(tx: Db, { organizationId, part, runIds, privateIds }: Claimed): Promise<void> {
  const kinds = [
    { kind: 'logs', ids: part === 'runs' || part === 'logs' ? runIds : [] },
    { kind: 'git', ids: privateIds },
  ]
  // The organization's row first, as whoever takes bytes does.
  await tx.query(`select from storage where organization_id = $1 and scope = 'organization' and id = $1 for update`, [
    organizationId,
  ])
  for (const { kind, ids } of kinds) {
    if (!ids.length) continue
    await tx.query(
      `with counted as (select id, ${kind} as bytes from storage where organization_id = $1 and scope = 'run' and id = any($2))
       select count_storage($1, 'organization', $1, $3, -(select sum(bytes) from counted)::bigint, false)
       where exists (select from counted where bytes > 0)`,
      [organizationId, ids, kind],
    )
    await tx.query(
      `update storage set ${kind} = 0 where organization_id = $1 and scope = 'run' and id = any($2) and ${kind} > 0`,
      [organizationId, ids],
    )
  }
}
