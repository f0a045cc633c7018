import { maybeOne, type Db } from '#db/pool.ts'
import { forgetPrincipal } from '#domain/accounts/tokens/find-principal.ts'
import { digestOf, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'

/** Signs a browser out: in this process at once, in others as soon as they look again. */
export async function revokeSession(db: Db, keys: TokenKeys, secret: string): Promise<void> {
  const gone = await maybeOne<{ credentialId: number }>(
    db,
    'delete from sessions where digest = $1 returning credential_id',
    [digestOf(keys, secret)],
  )
  if (gone) forgetPrincipal(keys, gone.credentialId)
}
