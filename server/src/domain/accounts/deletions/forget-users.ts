import type { Db } from '#db/pool.ts'

/**
 * Removes all that is known of these users: of each a number stays, which what others keep refers to. Their tokens and sessions end. In the transaction of
 * the caller, who knows that they may go.
 */
export async function forgetUsers(tx: Db, { userIds }: { userIds: readonly number[] }): Promise<void> {
  if (!userIds.length) return
  for (const text of statements) await tx.query(text, [userIds])
}

const isTheirs = 'user_id = any($1::bigint[])'

const statements = [
  `update users set email = null, full_name = null, avatar_url = null, custom_prompt = null, deleted_at = coalesce(deleted_at, now()) where id = any($1::bigint[])`,
  `delete from notifications n using memberships m
   where m.${isTheirs} and n.organization_id = m.organization_id and n.user_id = m.user_id`,
  `delete from memberships where ${isTheirs}`,
  `delete from budgets where ${isTheirs}`,
  `delete from identities where ${isTheirs}`,
  `with gone as (delete from credentials where ${isTheirs} returning id),
   tickets as (delete from stream_tickets t using gone where t.credential_id = gone.id)
   delete from rate_windows w using gone where w.credential_id = gone.id`,
]
