import { one, type Db } from '#db/pool.ts'
import type { TokenKeys } from './token-keys.ts'

/** How many good tokens, of people and of remote workers, were digested with another key than the present one: without that key they are good no more. */
export async function countStaleTokens(db: Db, { mark, clock }: TokenKeys): Promise<number> {
  const { count } = await one<{ count: number }>(
    db,
    `select ((select count(*) from credentials
         where kind = 'token' and revoked_at is null and (expires_at is null or expires_at > $2) and key_mark is distinct from $1)
       + (select count(*) from worker_tokens where (expires_at is null or expires_at > $2) and key_mark <> $1))::int as count`,
    [mark, clock.now()],
  )
  return count
}
