import type { EnforcementReport } from '#base/enforcement.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type StartSandbox = { holder: Holder; provider: string; enforcement: EnforcementReport }

/** Writes down that a sandbox runs for whoever holds the run. Answers its number. Throws `LeaseLost`. */
export async function startSandbox(
  db: Db,
  { holder, provider, enforcement }: StartSandbox,
): Promise<{ sandboxId: number }> {
  const { organizationId, runId, leaseId } = holder
  const made = await maybeOne<{ sandboxId: number }>(db, insertion, [
    organizationId,
    runId,
    leaseId,
    provider,
    JSON.stringify(enforcement),
  ])
  if (!made) throw new LeaseLost(runId)
  return made
}

const insertion = {
  name: 'start-sandbox',
  text: `insert into sandboxes (organization_id, run_id, lease_id, provider, worker, enforcement)
    select h.organization_id, h.run_id, h.lease_id, $4, w.name, $5 from run_heads h join workers w on w.id = h.worker_id
    where h.organization_id = $1 and h.run_id = $2 and h.lease_id = $3
    returning id as "sandboxId"`,
}
