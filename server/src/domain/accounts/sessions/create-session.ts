import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import { digestOf, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { newSessionText } from '#domain/accounts/tokens/token-text.ts'

export type CreateSession = { credentialId: number }

/** Signs a browser in with a good token. The secret is in this answer and nowhere else. */
export async function createSession(
  db: Db,
  keys: TokenKeys,
  { credentialId }: CreateSession,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newSessionText()
  const { expiresAt } = await one<{ expiresAt: Date }>(
    db,
    `insert into sessions (digest, credential_id, token_digest, expires_at)
     select $1, c.id, c.digest, least(c.expires_at, now() + make_interval(secs => $3)) from credentials c where c.id = $2
     returning expires_at`,
    [digestOf(keys, secret), credentialId, limits.sessionSeconds],
  )
  return { secret, expiresAt }
}
