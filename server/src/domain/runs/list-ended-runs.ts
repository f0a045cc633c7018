import { deletionLimits } from '#base/deletion-limits.ts'
import { rows, type Db } from '#db/pool.ts'

/** Runs of an organization that ended at least so many days ago, after the one up to which all is done. */
export type EndedSince = { organizationId: number; days: number; doneUntil: string; doneRunId: number }
export type EndedRun = { id: number; finishedAt: string }

/** The oldest of them, a bounded number. Times as text: JavaScript's have no microseconds. A run that goes on has another end, later. */
export function listEndedRuns(db: Db, { organizationId, days, doneUntil, doneRunId }: EndedSince): Promise<EndedRun[]> {
  return rows<EndedRun>(
    db,
    `select id, finished_at::text from runs
     where organization_id = $1 and finished_at is not null and (finished_at, id) > ($2::timestamptz, $3::bigint)
       and finished_at < now() - make_interval(days => $4)
     order by finished_at, id limit $5`,
    [organizationId, doneUntil, doneRunId, days, deletionLimits.dueRunsMax],
  )
}
