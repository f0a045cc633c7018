import type { Db } from '#db/pool.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import type { IntegrationIds } from './get-integration.ts'

/** Has the integration's repositories listed anew, soon, even where they are being listed now. */
export async function requestSync(tx: Db, { organizationId, integrationId }: IntegrationIds): Promise<void> {
  await requestJob(tx, { organizationId, kind: 'sync', ref: integrationId })
}
