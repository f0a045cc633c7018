import { rows, type Db } from '#db/pool.ts'
import {
  readRun,
  runSummaryColumns,
  runTables,
  type Run,
  type RunIds,
  type RunRow,
  type RunStatus,
} from '#domain/runs/run.ts'

/** A run with the number of its last log entry, both of one moment. */
export type RunAt = { run: Run; lastSeq: number }

/** These runs as they are now, in the order asked for; those that do not exist are left out. */
export async function readRuns(db: Db, ids: RunIds[]): Promise<RunAt[]> {
  const found = await rows<RunRow & { lastSeq: number }>(
    db,
    `select ${runSummaryColumns}, h.next_seq - 1 as "lastSeq" from ${runTables}
       join unnest($1::bigint[], $2::bigint[]) with ordinality as wanted (organization_id, id, n)
         on r.organization_id = wanted.organization_id and r.id = wanted.id order by wanted.n`,
    columnsOf(ids),
  )
  return found.map(({ lastSeq, ...row }) => ({ run: readRun(row), lastSeq }))
}

/** The little that tells whether a reader of a run has something new to see. */
export type RunVersion = {
  runId: number
  status: RunStatus
  statusDetail: string | null
  turn: number
  revision: number
  lastSeq: number
}

export function readFaces(db: Db, ids: RunIds[]): Promise<RunVersion[]> {
  return rows<RunVersion>(
    db,
    `select h.run_id, h.status, h.status_detail, h.turn, h.revision, h.next_seq - 1 as "lastSeq"
     from run_heads h join unnest($1::bigint[], $2::bigint[]) as wanted (organization_id, id)
       on h.organization_id = wanted.organization_id and h.run_id = wanted.id`,
    columnsOf(ids),
  )
}

const columnsOf = (ids: RunIds[]) => [ids.map((one) => one.organizationId), ids.map((one) => one.runId)]
