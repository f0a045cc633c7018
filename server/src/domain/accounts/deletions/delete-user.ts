import { AppError } from '#base/errors.ts'
import { maybeOne, one, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { forgetPrincipals } from '#domain/accounts/tokens/find-principal.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { forgetUsers } from './forget-users.ts'
import { unconfirmed } from './unconfirmed.ts'

export type DeleteUser = {
  userId: number
  /** The only organization of the token that asks; null: it is bound to none. */
  organizationId: number | null
  /** Their email address, or the name of who has none, as somebody types who means it. */
  confirm: string
}

/**
 * Deletes the account of a person: their tokens and sessions end, and all that is known of them goes. What they did stays, as done by a deleted user.
 * Throws `invalid_request` where the address is another one, `forbidden` for a token of one organization where they are a member of another
 * one, `last_admin`, and `conflict` while runs of theirs have not ended, and for the operator.
 */
export async function deleteUser(
  db: Db,
  keys: TokenKeys,
  { userId, organizationId, confirm }: DeleteUser,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await maybeOne<{ email: string | null; fullName: string | null; isAdmin: boolean }>(
      tx,
      'select email, full_name, is_admin from users where id = $1 and deleted_at is null for update',
      [userId],
    )
    if (!user) throw new AppError('unauthorized')
    if (user.isAdmin)
      throw new AppError('conflict', { message: 'The account of the operator of this instance cannot be deleted.' })
    const name = user.email ?? user.fullName ?? ''
    if (confirm.toLowerCase() !== name.toLowerCase())
      throw unconfirmed(`To delete your account, pass your email address as "confirm": ${JSON.stringify(name)}.`)
    if (organizationId !== null) await requireNoOther(tx, { userId, organizationId })
    await requireOtherAdmins(tx, userId)
    await requireEndedRuns(tx, userId)
    await forgetUsers(tx, { userIds: [userId] })
  })
  forgetPrincipals(keys, (seen) => seen.userId === userId)
}

/** An ADMIN of one organization makes tokens for its members; none of them may reach into another organization. */
async function requireNoOther(tx: Db, ids: { userId: number; organizationId: number }): Promise<void> {
  const other = await maybeOne(tx, 'select from memberships where user_id = $1 and organization_id <> $2 limit 1', [
    ids.userId,
    ids.organizationId,
  ])
  if (!other) return
  throw new AppError('forbidden', {
    message:
      'You are a member of other organizations, too, and this token is bound to one. Leave them first, or sign in as yourself.',
  })
}

/** Of all their organizations at once; from here on nobody takes a role in one of them until the transaction ends. */
async function requireOtherAdmins(tx: Db, userId: number): Promise<void> {
  const led = await rows<{ id: number }>(
    tx,
    `select o.id from organizations o join memberships m on m.organization_id = o.id
     where m.user_id = $1 and m.role = 'ADMIN' order by o.id for no key update of o`,
    [userId],
  )
  const alone = await rows<{ id: number; name: string }>(
    tx,
    `select o.id, o.name from organizations o where o.id = any($2) and not exists (
       select from memberships m where m.organization_id = o.id and m.role = 'ADMIN' and m.user_id <> $1) order by o.id`,
    [userId, led.map(({ id }) => id)],
  )
  if (!alone.length) return
  const names = alone.map(({ id, name }) => `"${name}" (${id})`).join(', ')
  throw new AppError('last_admin', {
    message: `You are the last ADMIN of ${names}. Make somebody else ADMIN, or delete the organization first.`,
  })
}

async function requireEndedRuns(tx: Db, userId: number): Promise<void> {
  const { count } = await one<{ count: number }>(
    tx,
    `select count(*) as count from memberships m join runs r on r.organization_id = m.organization_id and r.user_id = m.user_id
       join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where m.user_id = $1 and h.status not in ('completed', 'failed', 'cancelled')`,
    [userId],
  )
  if (count > 0) throw new AppError('conflict', { message: `${count} of your runs have not ended. Cancel them first.` })
}
