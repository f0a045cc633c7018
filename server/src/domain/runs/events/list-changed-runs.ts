import { one, rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** A place in the outbox: every transaction below it has ended, so nothing can appear before it any more. */
export type EventPlace = string

/** The place from which on everything that commits from now will be found. */
export async function currentPlace(db: Db): Promise<EventPlace> {
  return (await one<{ place: string }>(db, 'select pg_snapshot_xmin(pg_current_snapshot())::text as place')).place
}

export type ListChangedRuns = { organizationIds: number[]; from: EventPlace }

/** Which runs of these organizations were made or changed their status since `from`, and the place to go on from. */
export async function listChangedRuns(
  db: Db,
  { organizationIds, from }: ListChangedRuns,
): Promise<{ runs: RunIds[]; place: EventPlace }> {
  // One statement, so that the end is that of the snapshot which the rows are read in.
  const found = await rows<{ place: string; organizationId: number | null; runId: number | null }>(
    db,
    `select b.place::text as place, e.organization_id, e.run_id
     from (select pg_snapshot_xmin(pg_current_snapshot()) as place) b
       left join lateral (
         select organization_id, run_id, max(id) as last from events
         where organization_id = any($1) and xid >= $2::xid8 and xid < b.place
         group by organization_id, run_id order by last) e on true`,
    [organizationIds, from],
  )
  const runs = found.flatMap(({ organizationId, runId }) =>
    organizationId === null || runId === null ? [] : [{ organizationId, runId }],
  )
  return { runs, place: found[0]?.place ?? from }
}
