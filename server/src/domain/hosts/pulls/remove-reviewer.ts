import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getUser } from '#domain/accounts/users/get-user.ts'
import { getPull } from './get-pull.ts'
import type { Pull } from './pull.ts'

export type RemoveReviewer = { organizationId: number; pullId: number; userId: number }

/** Takes a reviewer off a pull request; only a person asks them again. Throws `pull_not_found`, `user_not_found`. */
export async function removeReviewer(db: Db, { organizationId, pullId, userId }: RemoveReviewer): Promise<Pull> {
  return inTransaction(db, async (tx) => {
    await getPull(tx, { organizationId, pullId })
    await getUser(tx, { organizationId, userId })
    await tx.query(
      `update pull_reviewers set removed_at = now()
       where organization_id = $1 and pull_id = $2 and user_id = $3 and removed_at is null`,
      [organizationId, pullId, userId],
    )
    return getPull(tx, { organizationId, pullId })
  })
}
