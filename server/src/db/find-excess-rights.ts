import { one, type Db } from './pool.ts'

type Rights = { login: string; super: boolean; bypass: boolean; roles: boolean; temporary: boolean }

/**
 * What the login of the service may do that it needs not, and that would undo what keeps organizations apart; a sentence
 * each. The embedded PostgreSQL's login has none of it; in another database it is the operator's to take away.
 */
export async function findExcessRights(db: Db): Promise<string[]> {
  const { login, ...may } = await one<Rights>(
    db,
    `select rolname as login, rolsuper as super, rolbypassrls as bypass, rolcreaterole as roles,
       has_database_privilege('runwright_tenant', current_database(), 'temporary') as temporary
     from pg_roles where rolname = current_user`,
  )
  const user = `The user "${login}" of DATABASE_URL`
  return [
    ...(may.super
      ? [`${user} is a superuser, for whom row security does not hold. Give the service a login that is none.`]
      : []),
    ...(may.bypass && !may.super
      ? [`${user} passes row security. Have an administrator run: alter role ${login} nobypassrls;`]
      : []),
    ...(may.roles && !may.super
      ? [`${user} may make roles, which it needs at the first start alone: alter role ${login} nocreaterole;`]
      : []),
    ...(may.temporary
      ? [
          'Whoever reaches the database may make temporary tables in it. Have its owner run: revoke temporary on database … from public;',
        ]
      : []),
  ]
}
