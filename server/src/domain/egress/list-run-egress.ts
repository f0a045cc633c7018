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
  /** Of those that were recorded. */
  total: number
  /** How often the run has asked in all, and was refused. */
  asked: number
  refused: number
}

export type ListRunEgress = RunIds & {
  /** Only of the sandbox that ran under this lease. */
  leaseId?: string | undefined
  skip: number
  limit: number
}

/** What a run has asked of the network, in its order. Throws `run_not_found`. */
export async function listRunEgress(
  db: Db,
  { organizationId, runId, leaseId, skip, limit }: ListRunEgress,
): Promise<RunEgress> {
  await getRun(db, { organizationId, runId })
  const given = [organizationId, runId, leaseId]
  const of = 'organization_id = $1 and run_id = $2 and ($3::uuid is null or lease_id = $3)'
  const counts = await one<{ total: number; asked: number; refused: number }>(
    db,
    `select (select count(*) from egress_requests where ${of}) as total,
       coalesce(sum(asked), 0)::bigint as asked, coalesce(sum(refused), 0)::bigint as refused
     from egress_counts where organization_id = $1 and run_id = $2`,
    given,
  )
  const items = await rows<RecordedEgress>(
    db,
    `select n, at, name, port, allowed as "isAllowed", reason, sent_bytes as "sentBytes", received_bytes as "receivedBytes"
     from egress_requests where ${of} order by n offset $4 limit $5`,
    [...given, skip, limit],
  )
  return { items, ...counts }
}
