import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { renewDigest } from '#domain/accounts/tokens/renew-digest.ts'
import { digestOf, digestsOf, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { tokenEnds } from '#domain/accounts/tokens/token-text.ts'
import { createOrganization } from '#domain/accounts/organizations/create-organization.ts'

/** How the operator's own credential is told from tokens that people make. */
const credentialName = 'RUNWRIGHT_ADMIN_TOKEN'
/** Any number that nothing else locks, so that several processes may start at once. */
const lockId = 727_002

export type StartInstance = { adminToken: string }

/**
 * Makes sure that the instance has its first user, the ADMIN of organization 1, and that the admin token is that
 * user's. Another token than last time takes the place of the old one. Answers whether the user was made now.
 */
export async function startInstance(
  db: Db,
  keys: TokenKeys,
  { adminToken }: StartInstance,
): Promise<{ made: boolean }> {
  keys.adminDigest = digestOf(keys, adminToken)
  return inTransaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [lockId])
    const known = await findAdmin(tx)
    const admin = known ?? (await createAdmin(tx))
    await ensureCredential(tx, keys, { userId: admin.id, adminToken })
    return { made: !known }
  })
}

/** Whether the instance was started before. */
export async function hasAdmin(db: Db): Promise<boolean> {
  return (await findAdmin(db)) !== undefined
}

function findAdmin(db: Db): Promise<{ id: number } | undefined> {
  return maybeOne(db, 'select id from users where is_admin order by id limit 1')
}

async function createAdmin(tx: Db): Promise<{ id: number }> {
  const admin = await one<{ id: number }>(
    tx,
    `insert into users (full_name, is_admin) values ('Administrator', true) returning id`,
  )
  await createOrganization(tx, { name: 'First organization', userId: admin.id })
  return admin
}

async function ensureCredential(
  tx: Db,
  keys: TokenKeys,
  { userId, adminToken }: { userId: number; adminToken: string },
): Promise<void> {
  await renewDigest(tx, keys, adminToken)
  const digests = digestsOf(keys, adminToken)
  await tx.query(
    `update credentials set revoked_at = now()
     where user_id = $1 and organization_id is null and name = $2 and digest <> all($3) and revoked_at is null`,
    [userId, credentialName, digests],
  )
  // A process that has the next key already may have digested it with that one: it is known to all then.
  await tx.query(
    `insert into credentials (user_id, kind, name, digest, prefix, last4, key_mark)
     select $1, 'token', $2, $3, $4, $5, $6
     where not exists (select from credentials where digest = any($7) and digest <> $3 and revoked_at is null)
     on conflict (digest) do update set revoked_at = null`,
    [userId, credentialName, digests[0], ...tokenEnds(adminToken), keys.mark, digests],
  )
}
