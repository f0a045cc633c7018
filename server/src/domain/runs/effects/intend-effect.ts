import type { JsonObject } from '#base/json.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { Effect } from './effect.ts'

export type IntendEffect = { holder: Holder; key: string; kind: Effect['kind']; request: JsonObject }

/**
 * Stores what is about to be done outside, under the lease. Answers the effect as it stands: one that is `done` or
 * `refused` must not be done again; one that was `intended` by a lost worker may have happened. Throws `LeaseLost`.
 */
export async function intendEffect(db: Db, { holder, key, kind, request }: IntendEffect): Promise<Effect> {
  const { organizationId, runId, leaseId } = holder
  return inTransaction(db, async (tx) => {
    const held = await maybeOne(
      tx,
      `select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel' for update`,
      [organizationId, runId, leaseId],
    )
    if (!held) throw new LeaseLost(runId)
    return one<Effect>(
      tx,
      `insert into effects (organization_id, run_id, key, kind, state, request, lease_id) values ($1, $2, $3, $4, 'intended', $5, $6)
       on conflict (organization_id, run_id, key) do update set lease_id = excluded.lease_id
       returning key, kind, state, request, result`,
      [organizationId, runId, key, kind, JSON.stringify(request), leaseId],
    )
  })
}
