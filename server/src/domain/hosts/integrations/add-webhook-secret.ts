import { randomBytes } from 'node:crypto'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import type { IntegrationIds } from './get-integration.ts'
import { integrationPlace } from './integration.ts'
import { openIntegration } from './open-integration.ts'

/** Has an integration sign its webhooks by a secret of its own, where it has none. Answers the one that counts. */
export async function addWebhookSecret(
  db: Db,
  box: SecretBox,
  { organizationId, integrationId }: IntegrationIds,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    // Whoever changes the credentials at the same moment waits here.
    const dataKey = await takeDataKey(tx, box, { organizationId })
    const integration = await openIntegration(tx, box, { organizationId, integrationId })
    if (!integration) throw new Error(`integration ${integrationId} was removed`)
    const [known] = integration.credentials.webhookSecrets
    if (known !== undefined) return known
    const secret = randomBytes(32).toString('base64url')
    const credentials = { ...integration.credentials, webhookSecrets: [secret] }
    const place = integrationPlace({ organizationId, id: integrationId })
    const sealed = dataKey.seal(Buffer.from(JSON.stringify(credentials)), place)
    await tx.query('update integrations set sealed = $3 where organization_id = $1 and id = $2', [
      organizationId,
      integrationId,
      sealed,
    ])
    return secret
  })
}
