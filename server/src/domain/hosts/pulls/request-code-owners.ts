import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { lockPull } from './lock-pull.ts'
import { isAuthor } from './request-reviewer.ts'
import type { PullCodeOwners } from './reviewer.ts'

export type RequestCodeOwners = {
  organizationId: number
  pullId: number
  /** Null: its base has no CODEOWNERS. */
  codeOwners: PullCodeOwners | null
  /** Whom it names, the first first, each with the pattern by which. */
  owners: { userId: number; pattern: string }[]
}

/**
 * Asks the owners of what a pull request of the built-in host changes, but for its author: each once, even if they were taken off since, and
 * so many of all at the most. Answers how many were asked. Throws `pull_not_found`.
 */
export async function requestCodeOwners(db: Db, request: RequestCodeOwners): Promise<number> {
  const { organizationId, pullId, codeOwners } = request
  return inTransaction(db, async (tx) => {
    const pull = await lockPull(tx, { organizationId, pullId })
    if (pull.state !== 'open' || pull.draft) return 0
    await tx.query(
      `update pulls set code_owners = $3::jsonb
       where organization_id = $1 and id = $2 and code_owners is distinct from $3::jsonb`,
      [organizationId, pullId, codeOwners && JSON.stringify(codeOwners)],
    )
    const owners = request.owners.filter(({ userId }) => !isAuthor(pull, userId))
    const { rowCount } = await tx.query(
      `insert into pull_reviewers (organization_id, pull_id, user_id, reason, pattern)
       select $1, $2, o.user_id, 'code_owner', o.pattern
       from unnest($3::bigint[], $4::text[]) with ordinality o (user_id, pattern, n)
       where exists (select from memberships m where m.organization_id = $1 and m.user_id = o.user_id)
         and not exists (select from pull_reviewers v where v.organization_id = $1 and v.pull_id = $2 and v.user_id = o.user_id)
       order by o.n
       limit greatest(0, $5 - (select count(*) from pull_reviewers
         where organization_id = $1 and pull_id = $2 and reason = 'code_owner'))
       on conflict do nothing`,
      [
        organizationId,
        pullId,
        owners.map(({ userId }) => userId),
        owners.map(({ pattern }) => pattern),
        codeOwnersLimits.askedMax,
      ],
    )
    return rowCount ?? 0
  })
}
