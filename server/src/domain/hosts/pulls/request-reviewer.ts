import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getUser } from '#domain/accounts/users/get-user.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { getPull } from './get-pull.ts'
import { lockPull } from './lock-pull.ts'
import type { Pull } from './pull.ts'
import { refusePull } from './refuse-pull.ts'
import { reviewerState } from './reviewer.ts'

export type RequestReviewer = {
  organizationId: number
  pullId: number
  userId: number
  /** Who asks. */
  by: number
}

/**
 * Asks a person to review a pull request of the built-in host, and again where they have already. Throws `pull_not_found`, `user_not_found`,
 * `conflict` for whom it cannot be.
 */
export async function requestReviewer(db: Db, { organizationId, pullId, userId, by }: RequestReviewer): Promise<Pull> {
  return inTransaction(db, async (tx) => {
    // One at a time asks, so that the limit holds.
    const pull = await lockPull(tx, { organizationId, pullId })
    const user = await getUser(tx, { organizationId, userId })
    if (pull.url !== null) throw refusePull(pullId, 'has its reviewers on its own host, where they are requested')
    if (pull.state !== 'open') throw refusePull(pullId, `is ${pull.merged ? 'merged' : 'closed'}`)
    if (user.kind !== 'person') throw refusePull(pullId, `is reviewed by people on request; user ${userId} is none`)
    if (isAuthor(pull, userId)) throw refusePull(pullId, `was opened by user ${userId}, who cannot review it`)
    await requireRoom(tx, pull, userId)
    await tx.query(
      `insert into pull_reviewers as v (organization_id, pull_id, user_id, reason, requested_by, asked_after)
       values ($1, $2, $3, 'asked', $4, coalesce((select max(r.id) from pull_reviews r
         where r.organization_id = $1 and r.pull_id = $2 and r.user_id = $3 and r.run_id is null), 0))
       on conflict (organization_id, pull_id, user_id) do update set requested_by = excluded.requested_by, requested_at = now(),
         requests = v.requests + 1, asked_after = excluded.asked_after, removed_at = null
       where v.removed_at is not null or ${reviewerState} <> 'requested'`,
      [organizationId, pullId, userId, by],
    )
    return getPull(tx, { organizationId, pullId })
  })
}

/** On the built-in host. */
export const isAuthor = ({ author }: Pull, userId: number): boolean => author?.hostUserId === String(userId)

async function requireRoom(tx: Db, { organizationId, id }: Pull, userId: number): Promise<void> {
  const { others } = await one<{ others: number }>(
    tx,
    `select count(*)::int as others from pull_reviewers
     where organization_id = $1 and pull_id = $2 and user_id <> $3 and removed_at is null`,
    [organizationId, id, userId],
  )
  const { reviewersMax } = codeOwnersLimits
  if (others >= reviewersMax) throw refusePull(id, `has ${reviewersMax} reviewers, which is the most`)
}
