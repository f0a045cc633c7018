import type pg from 'pg'
import { deletionLimits } from '#base/deletion-limits.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { deleteOrganizationRows } from './delete-organization-rows.ts'
import type { EmptyDeletions } from '#domain/runs/deletions/empty-deletions.ts'
import { hideEndedRuns } from '#domain/runs/deletions/hide-ended-runs.ts'
import { isAlone } from '#domain/runs/deletions/is-alone.ts'

type Ids = { organizationId: number }

export type EmptyOrganizations = Pick<EmptyDeletions, 'onDeleted' | 'workMs'> & {
  /** The repositories of this machine. */
  repositories: { removeOrganization(ids: Ids): Promise<void> }
}

/**
 * Removes what is left of organizations that were deleted, in short transactions, for a while: their runs are cancelled and deleted as
 * others are, then goes all else, and last the row of the organization. May be cut off anywhere. Only for a process that has the repositories.
 */
export async function emptyOrganizations(pool: pg.Pool, options: EmptyOrganizations): Promise<void> {
  const until = performance.now() + (options.workMs ?? deletionLimits.workMs)
  const errors: unknown[] = []
  do {
    const due = await maybeOne<Ids>(
      pool,
      'select id as "organizationId" from organizations where empty_at <= now() order by empty_at limit 1',
    )
    if (!due) break
    const done = await emptySome(pool, { ...due, ...options }).catch(async (error: unknown) => {
      errors.push(error)
      // The others are not held up.
      await waitUntil(pool, { ...due, ms: deletionLimits.retryMs })
      return 'waits' as const
    })
    if (done === 'elsewhere') break
    if (done === 'gone') options.onDeleted('organization', 1)
  } while (performance.now() < until)
  if (errors.length) throw new AggregateError(errors, `${errors.length} organizations could not be emptied`)
}

export const deletedOrganizationsAreDue = 'exists (select from organizations where empty_at <= now())'

type Done = 'goes_on' | 'waits' | 'gone' | 'elsewhere'

async function emptySome(pool: pg.Pool, { organizationId, repositories }: Ids & EmptyOrganizations): Promise<Done> {
  const ids = { organizationId }
  const isBusy = await inTransaction(pool, async (tx): Promise<Done | undefined> => {
    if (!(await isAlone(tx))) return 'elsewhere'
    const count = (await cancelRuns(tx, ids)) + (await hideEndedRuns(tx, { ...ids, repoId: null }))
    if (count > 0) return 'goes_on'
    const { isWaiting } = (await tx.query<{ isWaiting: boolean }>(hasRuns, [organizationId])).rows[0]!
    if (!isWaiting) return undefined
    // Workers stop the agents, and the deletion of runs goes on.
    await waitUntil(tx, { ...ids, ms: deletionLimits.runsWaitMs })
    return 'waits'
  })
  if (isBusy) return isBusy
  await repositories.removeOrganization(ids)
  return inTransaction(pool, async (tx) => {
    if (!(await isAlone(tx))) return 'elsewhere'
    const deleted = await deleteOrganizationRows(tx, ids)
    if (deleted > 0) return 'goes_on'
    const { sweptInMs } = (await tx.query<{ sweptInMs: number | null }>(blobsLeft, [organizationId])).rows[0]!
    if (sweptInMs !== null) {
      await waitUntil(tx, { ...ids, ms: Math.max(sweptInMs, deletionLimits.runsWaitMs) })
      return 'waits'
    }
    await tx.query('delete from organizations where id = $1', [organizationId])
    return 'gone'
  })
}

const hasRuns = `select exists (select from run_heads where organization_id = $1)
  or exists (select from deletions where organization_id = $1) as "isWaiting"`

/** Whoever is about to store bytes may take an hour, as for runs; what waits for longer is swept now. */
const blobsLeft = `with due as (
    update blobs set look_at = now() where organization_id = $1 and look_at > now() + interval '1 hour' returning look_at)
  select extract(epoch from min(look_at) - now())::float8 * 1000 as "sweptInMs" from (
    select look_at from due union all select look_at from blobs where organization_id = $1 and look_at <= now() + interval '1 hour') b`

async function waitUntil(db: Db, { organizationId, ms }: Ids & { ms: number }): Promise<void> {
  await db.query(`update organizations set empty_at = now() + $2 * interval '1 millisecond' where id = $1`, [
    organizationId,
    ms,
  ])
}

/** Those at work are told to stop, once; the others end here. */
async function cancelRuns(tx: Db, { organizationId }: Ids): Promise<number> {
  const ended = await tx.query(endIdle, [organizationId, deletionLimits.hiddenRunsMax])
  const held = await rows<{ runId: number }>(
    tx,
    `select run_id from run_heads where organization_id = $1 and lease_id is not null and wanted is distinct from 'cancel'
     order by run_id limit $2 for update`,
    [organizationId, deletionLimits.hiddenRunsMax],
  )
  for (const { runId } of held) await cancelRun(tx, { organizationId, runId, userId: null })
  return (ended.rowCount ?? 0) + held.length
}

const endIdle = `
  with ended as (
    update run_heads set status = 'cancelled', status_detail = null, host_wait = null, revision = revision + 1, updated_at = now()
    where ctid = any(array(select ctid from run_heads where organization_id = $1 and lease_id is null
      and status not in ('completed', 'failed', 'cancelled') order by run_id limit $2 for update)) and lease_id is null
    returning organization_id, run_id)
  update runs r set finished_at = now() from ended e where r.organization_id = e.organization_id and r.id = e.run_id`
