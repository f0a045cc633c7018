import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'

export type RemoveView = { organizationId: number; userId: number; viewId: number }

/** Forgets a view of a person. Throws `view_not_found`. */
export async function removeView(db: Db, { organizationId, userId, viewId }: RemoveView): Promise<void> {
  const { rowCount } = await db.query('delete from views where organization_id = $1 and user_id = $2 and id = $3', [
    organizationId,
    userId,
    viewId,
  ])
  if (!rowCount) throw new AppError('view_not_found')
}
