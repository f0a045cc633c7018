import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import type { IntegrationIds } from './get-integration.ts'
import { checksByName } from './integration.ts'

export type ReportRefused = IntegrationIds & { problem: string }

/**
 * Shows at once that a host lets an integration in no more, whatever it was used for, and has it looked at soon. Does nothing
 * where a problem is shown already, so that whoever fails again and again costs nothing.
 */
export async function reportRefused(db: Db, { organizationId, integrationId, problem }: ReportRefused): Promise<void> {
  const credentials = { name: 'credentials', status: 'problem', message: problem, url: null } as const
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update integrations set problem = $3, checks = checks || $4
       where organization_id = $1 and id = $2 and active and problem is null`,
      [organizationId, integrationId, problem, checksByName([credentials])],
    )
    if (!rowCount) return
    const delayMs = hostLimits.refusedSyncMs
    await requestJob(tx, { organizationId, kind: 'sync', ref: integrationId, delayMs })
  })
}
