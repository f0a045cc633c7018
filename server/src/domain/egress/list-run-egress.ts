import { one, rows, type Db } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { EgressRequest } from './egress.ts'

export type RecordedEgress = EgressRequest & {
  n: number
  at: Date
  /** Null until it has ended, and where it was refused. */
  sentBytes: number | null
  receivedBytes: number | null
}

export type RunEgress = {
  items: RecordedEgress[]
  /** Of those that were recorded; `asked` are all. */
  total: number
  asked: number
  refused: number
}

/** What a run has asked of the network, in its order. Throws `run_not_found`. */
export async function listRunEgress(
  db: Db,
  { organizationId, runId, skip, limit }: RunIds & { skip: number; limit: number },
): Promise<RunEgress> {
  await getRun(db, { organizationId, runId })
  const ids = [organizationId, runId]
  const counts = await one<{ total: number; asked: number; refused: number }>(
    db,
    `select (select coalesce(max(n), 0) from egress_requests where organization_id = $1 and run_id = $2) as total,
       coalesce(sum(asked), 0)::bigint as asked, coalesce(sum(refused), 0)::bigint as refused
     from egress_counts where organization_id = $1 and run_id = $2`,
    ids,
  )
  const items = await rows<RecordedEgress>(
    db,
    `select n, at, name, port, allowed as "isAllowed", reason, sent_bytes as "sentBytes", received_bytes as "receivedBytes"
     from egress_requests where organization_id = $1 and run_id = $2 and n > $3 order by n limit $4`,
    [...ids, skip, limit],
  )
  return { items, ...counts }
}
