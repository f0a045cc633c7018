import type { App } from '#app/app.ts'
import { tokenEnds } from '#domain/accounts/tokens/token-text.ts'
import { claimKey } from '#domain/repos/secrets/claim-key.ts'

/**
 * Rejects where other processes of the service have another secret key: this one would take the operator's token from
 * them, and people's tokens would be good at the one and not at the other.
 */
export async function requireKey({
  pool,
  secretKeys,
  config,
}: Pick<App, 'pool' | 'secretKeys' | 'config'>): Promise<void> {
  const text = config.adminToken?.reveal()
  const adminToken = text === undefined ? undefined : { text, ends: tokenEnds(text) }
  if (await claimKey(pool, { ...secretKeys, ...(adminToken && { adminToken }) })) return
  throw new Error(
    'RUNWRIGHT_SECRET_KEY (or the file secret-key in the data folder) is not the key that this database is used with. Give this process the key that all others have. If it was changed on purpose, give the one before as RUNWRIGHT_SECRET_KEY_PREVIOUS (docs/security.md says how a key is changed without a stop). If that is lost, "npm start -- forget-secrets" removes what it has sealed; tokens then have to be made anew.',
  )
}
