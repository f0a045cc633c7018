import type { Db } from '#db/pool.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'

/**
 * Digests a token anew that was digested with the previous key: with the present one it is good when the previous one is gone. Sessions
 * that began with it go on. Changes nothing where the token was given another secret meanwhile.
 */
export async function renewDigest(db: Db, keys: TokenKeys, secret: string): Promise<void> {
  if (!keys.previousPepper) return
  const stale = digestOf({ pepper: keys.previousPepper }, secret)
  await db.query(
    `with renewed as (
       update credentials c set digest = $2, key_mark = $3
       where c.digest = $1 and c.kind = 'token' and not exists (select from credentials o where o.digest = $2)
       returning c.id)
     update sessions s set token_digest = $2 from renewed r where s.credential_id = r.id and s.token_digest = $1`,
    [stale, digestOf(keys, secret), keys.mark],
  )
}
