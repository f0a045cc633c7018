import { maybeOne, type Db } from '#db/pool.ts'
import { forgetPrincipal } from '#domain/accounts/tokens/find-principal.ts'
import { digestsOf, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'

/** Signs a browser out: in this process at once, in others as soon as they look again. */
export async function revokeSession(db: Db, keys: TokenKeys, secret: string): Promise<void> {
  const gone = await maybeOne<{ credentialId: number }>(
    db,
    'delete from sessions where digest = any($1) returning credential_id',
    [digestsOf(keys, secret)],
  )
  if (gone) forgetPrincipal(keys, gone.credentialId)
}
