import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes tokens for git that are good no more: expired, or made under a lease that is gone. Answers how many. */
export async function sweepGitTokens(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from credentials where id = any(array(
       select c.id from credentials c where c.kind = 'git' and (c.expires_at <= now() or c.revoked_at is not null or c.run_id is not null and not exists (
         select from run_heads h where h.organization_id = c.organization_id and h.run_id = c.run_id and h.lease_id = c.lease_id))
       limit $1 for update of c skip locked))`,
    [limits.tokensSweptMax],
  )
  return rowCount ?? 0
}
