import { randomBytes } from 'node:crypto'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'

export type AdmitIdentity = {
  identity: {
    issuer: string
    subject: string
    email: string | null
    isEmailVerified: boolean
    fullName: string | null
  }
  /** The only domains of addresses that are let in. Empty: all. */
  emailDomains: string[]
  /** Who is not known yet becomes a MEMBER of this organization. Null: is not let in. */
  organizationId: number | null
}

/** `account_bound`: whose address it is has signed in as somebody else before. */
export type Refusal = 'email_unverified' | 'domain_not_allowed' | 'no_account' | 'account_bound'

/** What a session begins with; or why none does. */
export type Admission = { userId: number; credentialId: number } | { refusal: Refusal }

type Bound = { userId: number; credentialId: number }

/**
 * Lets somebody in whom a provider vouches for. Its subject is what counts; the first time, a verified address finds the
 * person, who is bound to that subject for good. Whoever is a member of no organization any more is not let in.
 */
export async function admitIdentity(db: Db, { identity, ...rules }: AdmitIdentity): Promise<Admission> {
  const email = identity.email?.toLowerCase()
  if (email === undefined || !identity.isEmailVerified) return { refusal: 'email_unverified' }
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (rules.emailDomains.length && !rules.emailDomains.includes(domain)) return { refusal: 'domain_not_allowed' }
  return inTransaction(db, async (tx) => {
    const admission = (await findBound(tx, identity)) ?? (await bind(tx, { identity, email, ...rules }))
    if ('refusal' in admission) return admission
    return (await isMember(tx, admission.userId)) ? admission : { refusal: 'no_account' }
  })
}

type Key = Pick<AdmitIdentity['identity'], 'issuer' | 'subject'>

function findBound(tx: Db, { issuer, subject }: Key): Promise<Bound | undefined> {
  return maybeOne<Bound>(tx, `select user_id, credential_id from identities where issuer = $1 and subject = $2`, [
    issuer,
    subject,
  ])
}

type Bind = Pick<AdmitIdentity, 'identity' | 'organizationId'> & { email: string }

async function bind(tx: Db, { identity, organizationId, email }: Bind): Promise<Admission> {
  const { issuer, subject, fullName } = identity
  const userId =
    (organizationId !== null && (await createMember(tx, { organizationId, email, fullName }))) ||
    (await lockPerson(tx, email))
  if (!userId) return { refusal: 'no_account' }
  // The same person may have come twice at once: who holds the lock on the person is bound.
  const bound = await findBound(tx, identity)
  if (bound) return bound
  const credentialId = await createCredential(tx, userId)
  const { rowCount } = await tx.query(
    `insert into identities (issuer, subject, user_id, credential_id) values ($1, $2, $3, $4)
     on conflict (issuer, user_id) do nothing`,
    [issuer, subject, userId, credentialId],
  )
  if (rowCount) return { userId, credentialId }
  await tx.query('delete from credentials where id = $1', [credentialId])
  return { refusal: 'account_bound' }
}

/** Undefined where somebody has this address already, or where there is no such organization. */
async function createMember(
  tx: Db,
  { organizationId, email, fullName }: { organizationId: number; email: string; fullName: string | null },
): Promise<number | undefined> {
  const made = await maybeOne<{ id: number }>(
    tx,
    `insert into users (email, full_name) select $1, $2 where exists (select from organizations where id = $3 and deleted_at is null)
     on conflict (email) do nothing returning id`,
    [email, fullName, organizationId],
  )
  if (!made) return undefined
  await tx.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'MEMBER')`, [
    organizationId,
    made.id,
  ])
  return made.id
}

async function lockPerson(tx: Db, email: string): Promise<number | undefined> {
  const person = await maybeOne<{ id: number }>(
    tx,
    `select id from users where email = $1 and kind = 'person' for update`,
    [email],
  )
  return person?.id
}

/** What sessions stand for and are counted under. Its digest is of no secret at all, so nobody has it as a token. */
async function createCredential(tx: Db, userId: number): Promise<number> {
  const { id } = await one<{ id: number }>(
    tx,
    `insert into credentials (user_id, kind, name, digest, prefix, last4) values ($1, 'token', 'OpenID Connect', $2, '', '')
     returning id`,
    [userId, randomBytes(32)],
  )
  return id
}

async function isMember(tx: Db, userId: number): Promise<boolean> {
  return (await maybeOne(tx, 'select from memberships where user_id = $1 limit 1', [userId])) !== undefined
}
