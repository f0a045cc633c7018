import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getOrganization } from './get-organization.ts'
import type { Organization } from './organization.ts'

export type CreateOrganization = { name: string; userId: number }

/** Makes an organization; its maker becomes its ADMIN. */
export async function createOrganization(db: Db, { name, userId }: CreateOrganization): Promise<Organization> {
  return inTransaction(db, async (tx) => {
    const { id } = await one<{ id: number }>(tx, 'insert into organizations (name) values ($1) returning id', [name])
    await tx.query('insert into run_slots (organization_id) values ($1)', [id])
    // Whoever takes storage locks this row first, so it has to be there before the others.
    await tx.query(`insert into storage (organization_id, scope, id) values ($1, 'organization', $1)`, [id])
    await tx.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'ADMIN')`, [id, userId])
    return getOrganization(tx, { organizationId: id })
  })
}
