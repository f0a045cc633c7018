import { one, rows, type Db } from '#db/pool.ts'
import { tokenColumns, type Token } from './token.ts'

export type ListTokens = {
  organizationId: number
  /** Null: of everybody. */
  userId: number | null
  skip: number
  limit: number
}

/** The tokens of the organization that were not revoked, oldest first. */
export async function listTokens(
  db: Db,
  { organizationId, userId, skip, limit }: ListTokens,
): Promise<{ items: Token[]; total: number }> {
  const from = `from credentials c where c.organization_id = $1 and c.kind = 'token' and c.revoked_at is null
    and ($2::bigint is null or c.user_id = $2)`
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${from}`, [organizationId, userId])
  const items = await rows<Token>(db, `select ${tokenColumns} ${from} order by c.id limit $3 offset $4`, [
    organizationId,
    userId,
    limit,
    skip,
  ])
  return { items, total }
}
