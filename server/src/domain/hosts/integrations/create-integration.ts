import { randomBytes } from 'node:crypto'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import {
  integrationColumns,
  integrationPlace,
  type Credentials,
  type Integration,
  type IntegrationKind,
} from './integration.ts'
import { requestSync } from './request-sync.ts'

export type CreateIntegration = {
  organizationId: number
  kind: IntegrationKind
  baseUrl: string | null
  appId: number | null
  installationId: number | null
  account: string | null
  bot: { id: string; login: string } | null
  credentials: Credentials
  userId: number
  /** Part of an address that the host was told already; drawn when left out. */
  key?: string
  problem?: string | null
  /** Told of it in the transaction that makes its row. */
  recorded?: (tx: Db, integration: Integration) => Promise<void>
}

/** A key for the address of an integration's events. */
export const generateIntegrationKey = (): string => randomBytes(24).toString('base64url')

/** Keeps a connection that has been tried. Throws `conflict` where the organization has too many, or one of this key. */
export async function createIntegration(db: Db, box: SecretBox, request: CreateIntegration): Promise<Integration> {
  const { organizationId, kind, baseUrl, appId, installationId, account, bot, credentials, userId } = request
  return inTransaction(db, async (tx) => {
    // Whoever adds another one at the same moment waits here, so that both are counted.
    const dataKey = await takeDataKey(tx, box, { organizationId })
    await checkRoom(tx, organizationId)
    const { id } = await one<{ id: number }>(tx, `select nextval(pg_get_serial_sequence('integrations', 'id')) as id`)
    const sealed = dataKey.seal(Buffer.from(JSON.stringify(credentials)), integrationPlace({ organizationId, id }))
    const made = await maybeOne<Integration>(
      tx,
      `insert into integrations (organization_id, id, key, kind, base_url, app_id, installation_id, account, bot_id, bot_login,
         sealed, created_by, problem)
       overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (key) do nothing returning ${integrationColumns}`,
      [
        organizationId,
        id,
        request.key ?? generateIntegrationKey(),
        kind,
        baseUrl,
        appId,
        installationId,
        account,
        bot?.id,
        bot?.login,
        sealed,
        userId,
        request.problem ?? null,
      ],
    )
    if (!made) throw new AppError('conflict', { message: 'This integration has already been created.' })
    await requestSync(tx, { organizationId, integrationId: id })
    await request.recorded?.(tx, made)
    return made
  })
}

async function checkRoom(tx: Db, organizationId: number): Promise<void> {
  const { count } = await one<{ count: number }>(
    tx,
    'select count(*) as count from integrations where organization_id = $1',
    [organizationId],
  )
  if (count < limits.integrationsMax) return
  const message = `The organization has ${limits.integrationsMax} integrations already: remove one first.`
  throw new AppError('conflict', { message })
}
