import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { View } from './view.ts'

export type SaveView = { organizationId: number; userId: number; name: string; query: string }

/** Keeps a view of a person, in place of theirs of the same name. Throws `conflict` where they have too many. */
export async function saveView(db: Db, { organizationId, userId, name, query }: SaveView): Promise<View> {
  return inTransaction(db, async (tx) => {
    // Whoever saves another one at the same moment waits here, so that both are counted.
    await tx.query('select from memberships where organization_id = $1 and user_id = $2 for update', [
      organizationId,
      userId,
    ])
    const view = await one<View>(
      tx,
      `insert into views (organization_id, user_id, name, query) values ($1, $2, $3, $4)
       on conflict (organization_id, user_id, name) do update set query = excluded.query returning id, name, query`,
      [organizationId, userId, name, query],
    )
    const { count } = await one<{ count: number }>(
      tx,
      'select count(*) as count from views where organization_id = $1 and user_id = $2',
      [organizationId, userId],
    )
    if (count > limits.viewsMax)
      throw new AppError('conflict', {
        message: `You have ${limits.viewsMax} saved views, the maximum. Delete one first.`,
      })
    return view
  })
}
