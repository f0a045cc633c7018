import type { SecretBox } from '#base/secrets/secret-box.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import { requestSync } from './request-sync.ts'
import type { IntegrationIds } from './get-integration.ts'
import { getIntegration } from './get-integration.ts'
import { integrationColumns, integrationPlace, type Credentials, type Integration } from './integration.ts'

/** What is undefined stays as it is. */
export type UpdateIntegration = IntegrationIds & {
  active?: boolean | undefined
  installationId?: number | null | undefined
  account?: string | null | undefined
  bot?: { id: string; login: string } | undefined
  credentials?: Credentials | undefined
  problem?: string | null | undefined
}

/** Its repositories are listed anew then. Throws `integration_not_found`. */
export async function updateIntegration(db: Db, box: SecretBox, request: UpdateIntegration): Promise<Integration> {
  const { organizationId, integrationId } = request
  return inTransaction(db, async (tx) => {
    const dataKey = await takeDataKey(tx, box, { organizationId })
    const now = await getIntegration(tx, request)
    const { credentials, bot } = request
    const place = integrationPlace({ organizationId, id: integrationId })
    const either = <Value>(value: Value | undefined, otherwise: Value) => (value === undefined ? otherwise : value)
    const updated = await one<Integration>(
      tx,
      `update integrations set active = $3, installation_id = $4, account = $5, bot_id = $6, bot_login = $7, problem = $8,
         sealed = coalesce($9, sealed), updated_at = now()
       where organization_id = $1 and id = $2 returning ${integrationColumns}`,
      [
        organizationId,
        integrationId,
        either(request.active, now.active),
        either(request.installationId, now.installationId),
        either(request.account, now.account),
        bot?.id ?? now.botId,
        bot?.login ?? now.botLogin,
        either(request.problem, now.problem),
        credentials ? dataKey.seal(Buffer.from(JSON.stringify(credentials)), place) : null,
      ],
    )
    await requestSync(tx, request)
    return updated
  })
}
