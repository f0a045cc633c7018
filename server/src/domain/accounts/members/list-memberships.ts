import { rows, type Db } from '#db/pool.ts'

export type ListMemberships = {
  userId: number
  /** Only this one, for a token that works nowhere else. */
  organizationId: number | null
}

/** The organizations that a user is a member of, by their numbers. */
export async function listMemberships(db: Db, { userId, organizationId }: ListMemberships): Promise<number[]> {
  const found = await rows<{ organizationId: number }>(
    db,
    `select organization_id from memberships where user_id = $1 and ($2::bigint is null or organization_id = $2) order by 1`,
    [userId, organizationId],
  )
  return found.map((membership) => membership.organizationId)
}
