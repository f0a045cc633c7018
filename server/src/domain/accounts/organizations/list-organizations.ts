import { one, rows, type Db } from '#db/pool.ts'
import { organizationColumns, type Organization } from './organization.ts'

export type ListOrganizations = {
  userId: number
  /** Only this one, for a token that works nowhere else. */
  organizationId: number | null
  skip: number
  limit: number
}

/** The organizations that the user is a member of, oldest first. */
export async function listOrganizations(
  db: Db,
  { userId, organizationId, skip, limit }: ListOrganizations,
): Promise<{ items: Organization[]; total: number }> {
  const from = `from organizations o join memberships m on m.organization_id = o.id
    where m.user_id = $1 and ($2::bigint is null or o.id = $2)`
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${from}`, [userId, organizationId])
  const items = await rows<Organization>(db, `select ${organizationColumns} ${from} order by o.id limit $3 offset $4`, [
    userId,
    organizationId,
    limit,
    skip,
  ])
  return { items, total }
}
