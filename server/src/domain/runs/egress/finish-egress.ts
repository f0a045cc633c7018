import type { Db } from '#db/pool.ts'
import { recordedAs, type ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import type { EgressReason } from '#domain/repos/egress/egress.ts'

/** How an allowed request ended, by its number. */
export type EgressEnd = { n: number; sentBytes: number; receivedBytes: number; reason: EgressReason | null }

/** Records how much went and came. It asks for no lease: what was carried was carried, whoever holds the sandbox now. */
export async function finishEgress(
  db: Db,
  { holder, ends }: { holder: ProxyHolder; ends: readonly EgressEnd[] },
): Promise<void> {
  const { column, id } = recordedAs(holder)
  await db.query(
    `update egress_requests r set sent_bytes = e.sent, received_bytes = e.received, reason = e.reason
     from unnest($3::int[], $4::bigint[], $5::bigint[], $6::text[]) e (n, sent, received, reason)
     where r.organization_id = $1 and r.${column} = $2 and r.n = e.n`,
    [
      holder.organizationId,
      id,
      ends.map(({ n }) => n),
      ends.map(({ sentBytes }) => sentBytes),
      ends.map(({ receivedBytes }) => receivedBytes),
      ends.map(({ reason }) => reason),
    ],
  )
}
