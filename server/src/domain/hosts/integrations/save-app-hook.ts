import type { Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** Keeps what the webhook of an App was given; null: it is not ours. */
export async function saveAppHook(
  db: Db,
  { organizationId, integrationId, digest }: IntegrationIds & { digest: string | null },
): Promise<void> {
  await db.query('update integrations set hook_digest = $3 where organization_id = $1 and id = $2', [
    organizationId,
    integrationId,
    digest,
  ])
}
