import type { EnforcementReport } from '#base/enforcement.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { ClaimedCheck } from './start-check.ts'
import type { Egress } from '#domain/repos/egress/egress.ts'
import type { SandboxHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'

export type StartCheckSandbox = {
  claimed: ClaimedCheck
  /** What `.runwright.yml` would have it reach besides; it counts where that is allowed. */
  egress: Egress
  provider: string
  /** The name of the machine. */
  worker: string
  enforcement: EnforcementReport
}

/** Writes down that a sandbox is about to run a check. Undefined where the claim is lost. */
export async function startCheckSandbox(
  db: Db,
  { claimed, egress, provider, worker, enforcement }: StartCheckSandbox,
): Promise<SandboxHolder | undefined> {
  const { organizationId, checkId, repoId, claimId } = claimed
  const made = await maybeOne<{ sandboxId: number }>(
    db,
    `insert into sandboxes (organization_id, check_id, lease_id, provider, worker, enforcement, egress)
     select organization_id, id, claim_id, $4, $5, $6, $7 from checks
     where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress'
     returning id as "sandboxId"`,
    [organizationId, checkId, claimId, provider, worker, JSON.stringify(enforcement), JSON.stringify(egress)],
  )
  return made && { organizationId, repoId, sandboxId: made.sandboxId, leaseId: claimId }
}
