import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getUser } from '#domain/accounts/users/get-user.ts'
import type { User } from '#domain/accounts/users/user.ts'
import type { Role } from '#domain/accounts/users/roles.ts'

export type CreateMember = {
  organizationId: number
  role: Role
  fullName: string | null
  /** Who has this address already is taken as is, name and all. Null: a service account, which has none. */
  email: string | null
}

/** Makes a person, or a new service account, a member of the organization. Throws `conflict` for one who is a member. */
export async function createMember(db: Db, { organizationId, role, fullName, email }: CreateMember): Promise<User> {
  return inTransaction(db, async (tx) => {
    const { id: userId } =
      email === null ? await createService(tx, fullName) : await findOrCreatePerson(tx, { email, fullName })
    const { rowCount } = await tx.query(
      'insert into memberships (organization_id, user_id, role) values ($1, $2, $3) on conflict do nothing',
      [organizationId, userId, role],
    )
    if (!rowCount) throw new AppError('conflict', { message: 'This person is already a member of the organization.' })
    return getUser(tx, { organizationId, userId })
  })
}

function createService(tx: Db, fullName: string | null): Promise<{ id: number }> {
  return one(tx, `insert into users (kind, full_name) values ('service', $1) returning id`, [fullName])
}

async function findOrCreatePerson(
  tx: Db,
  { email, fullName }: { email: string; fullName: string | null },
): Promise<{ id: number }> {
  const address = email.toLowerCase()
  const made = await maybeOne<{ id: number }>(
    tx,
    'insert into users (email, full_name) values ($1, $2) on conflict (email) do nothing returning id',
    [address, fullName],
  )
  return made ?? one(tx, 'select id from users where email = $1', [address])
}
