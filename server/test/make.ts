import { randomBytes } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { openSecretKey } from '#base/secrets/secret-key.ts'
import { SecretBox } from '#base/secrets/secret-box.ts'
import { Secret } from '#base/secrets/secret.ts'
import type { Db } from '#db/pool.ts'
import { one } from '#db/pool.ts'
import { createMember } from '#domain/accounts/members/create-member.ts'
import { createOrganization } from '#domain/accounts/organizations/create-organization.ts'
import type { Organization } from '#domain/accounts/organizations/organization.ts'
import { scopes as allScopes, type Role, type Scope } from '#domain/accounts/users/roles.ts'
import { createToken } from '#domain/accounts/tokens/create-token.ts'
import { digestOf, openTokenKeys, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import type { User } from '#domain/accounts/users/user.ts'

/** A word that no other test has used. */
export const unique = (word: string): string => `${word}-${randomBytes(5).toString('hex')}`

/** An organization of its own for a test, with its ADMIN. */
export async function makeOrganization(
  db: Db,
  options: { name?: string } = {},
): Promise<Organization & { adminId: number }> {
  const admin = await one<{ id: number }>(db, 'insert into users (email, full_name) values ($1, $2) returning id', [
    `${unique('ada')}@example.com`,
    'Ada',
  ])
  const organization = await createOrganization(db, { name: options.name ?? unique('organization'), userId: admin.id })
  return { ...organization, adminId: admin.id }
}

/** A member of the organization. */
export function makeUser(db: Db, options: { organizationId: number; role?: Role; email?: string }): Promise<User> {
  const { organizationId, role = 'MEMBER', email = `${unique('grace')}@example.com` } = options
  return createMember(db, { organizationId, role, email, fullName: 'Grace' })
}

const secretKey = openSecretKey({ secretKey: new Secret('the secret key of the tests'), dataDir: '/nowhere' })

/** What seals secrets, as a server has it; the same in each. */
export const makeSecretBox = (): SecretBox => new SecretBox(secretKey.derive('secrets'))

/** Keys as a server has them; the same pepper in each, so that they agree on what is a good token. */
export function makeTokenKeys(options: { clock: Clock; adminToken?: string }): TokenKeys {
  const keys = openTokenKeys({ key: secretKey, previous: null, next: null }, options.clock)
  return options.adminToken ? { ...keys, adminDigest: digestOf(keys, options.adminToken) } : keys
}

/** The secret of a token. */
export async function makeToken(
  db: Db,
  keys: TokenKeys,
  options: { organizationId: number; userId: number; name?: string; scopes?: Scope[]; expiresAt?: Date },
): Promise<string> {
  const { organizationId, userId, name = 'test', scopes = null, expiresAt = null } = options
  const token = { organizationId, userId, name, scopes, scopesMax: [...allScopes], expiresAt }
  return (await createToken(db, keys, token)).secret
}
