import { one, rows, type Db } from '#db/pool.ts'
import { recordedAs } from '#domain/runs/sandboxes/sandbox-holder.ts'
import type { EgressRequest } from '#domain/repos/egress/egress.ts'

export type RecordedEgress = EgressRequest & {
  n: number
  at: Date
  /** Null until it has ended, and where it was refused. */
  sentBytes: number | null
  receivedBytes: number | null
}

export type ListedEgress = {
  items: RecordedEgress[]
  /** Of those that were recorded. */
  total: number
  /** How often was asked in all, and refused. */
  asked: number
  refused: number
}

export type ListEgress = {
  organizationId: number
  /** A run with all its sandboxes, or a sandbox that is no run's. */
  of: { runId: number } | { sandboxId: number }
  /** Only of the run's sandbox under this lease. */
  leaseId?: string | undefined
  skip: number
  limit: number
}

/** What a run or a sandbox has asked of the network, in its order. */
export async function listEgress(
  db: Db,
  { organizationId, of, leaseId, skip, limit }: ListEgress,
): Promise<ListedEgress> {
  const { column, id } = recordedAs(of)
  const values = [organizationId, id, leaseId]
  const where = `organization_id = $1 and ${column} = $2 and ($3::uuid is null or lease_id = $3)`
  const counts = await one<{ total: number; asked: number; refused: number }>(
    db,
    `select (select count(*) from egress_requests where ${where}) as total,
       coalesce(sum(asked), 0)::bigint as asked, coalesce(sum(refused), 0)::bigint as refused
     from egress_counts where organization_id = $1 and ${column} = $2`,
    values,
  )
  const items = await rows<RecordedEgress>(
    db,
    `select n, at, name, port, allowed as "isAllowed", reason, sent_bytes, received_bytes
     from egress_requests where ${where} order by n offset $4 limit $5`,
    [...values, skip, limit],
  )
  return { items, ...counts }
}
