import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from './transaction.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { one, openPool, rows } from './pool.ts'
import { TenantDb } from './tenant-db.ts'
import { migrate } from './migrate.ts'

const db = await testDb()
await migrate(db)
const tenant = new TenantDb(db, (await makeOrganization(db)).id)

test('every table with rows of organizations holds its owner to its policies too', async () => {
  const found = await rows<{ name: string; enabled: boolean; forced: boolean; policies: string[] }>(
    db,
    `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, array(
       select format('%s to %s using (%s)', p.polname, p.polroles::regrole[]::text[], pg_get_expr(p.polqual, p.polrelid))
       from pg_policy p where p.polrelid = c.oid order by 1) as policies
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and (c.relname in ('organizations', 'users') or exists (select from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))`,
  )
  assert.ok(found.length > 40)
  const { login } = await one<{ login: string }>(db, 'select current_user as login')
  for (const { name, enabled, forced, policies } of found) {
    assert.ok(enabled && forced, name)
    assert.equal(policies.length, 2, name)
    assert.equal(policies[0], `service to {${login}} using (true)`, name)
    assert.match(policies[1] ?? '', /^tenant to \{runwright_tenant\} using .*(current_organization|memberships)/s, name)
  }
  assert.deepEqual(await rows(db, 'select unprotected_tables()'), [])
})

test('what has no table of the organization is of the whole instance, and the tenant has no right to it', async () => {
  const open = await rows<{ name: string }>(
    db,
    `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
       and not relrowsecurity and (has_table_privilege('runwright_tenant', oid, 'select,insert,update,delete,truncate')
         or has_any_column_privilege('runwright_tenant', oid, 'select,insert,update'))`,
  )
  assert.deepEqual(open, [{ name: 'run_transitions' }])
})

test('every function that runs with the rights of its owner looks for names where nobody else can put any', async () => {
  const found = await rows<{ name: string; settings: string[] }>(
    db,
    `select proname as name, proconfig as settings from pg_proc
     where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
  )
  assert.ok(found.length >= 5)
  for (const { name, settings } of found)
    assert.ok(settings?.includes('search_path=pg_catalog, public, pg_temp'), `${name}: ${settings?.join()}`)
})

test('a function made later is led to its own names from the next start on', async () => {
  await db.query(`create function spy() returns int language sql security definer as 'select 1'`)
  await migrate(db)
  const { settings } = await one<{ settings: string[] }>(
    db,
    `select proconfig as settings from pg_proc where proname = 'spy'`,
  )
  assert.deepEqual(settings, ['search_path=pg_catalog, public, pg_temp'])
})

test('neither the service nor the tenant has a right that no policy binds', async () => {
  const found = await rows(
    db,
    `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolreplication, rolcanlogin from pg_roles
     where rolname in (current_user, 'runwright_tenant') order by 1`,
  )
  const plain = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolreplication: false }
  assert.deepEqual(found, [
    { rolname: 'runwright_service', ...plain, rolcanlogin: true },
    { rolname: 'runwright_tenant', ...plain, rolcanlogin: false },
  ])
  const { others } = await one<{ others: string[] }>(
    db,
    `select array(select roleid::regrole::text from pg_auth_members where member in ('runwright_tenant'::regrole, current_user::regrole)) as others`,
  )
  assert.deepEqual(others, ['runwright_tenant'])
})

test('the tenant makes nothing: no temporary table, no table, no function', async () => {
  const statements = [
    'create temporary table workers (id int)',
    'create table mine (id int)',
    `create function mine() returns int language sql as 'select 1'`,
    'create schema mine',
  ]
  for (const statement of statements) await assert.rejects(tenant.query(statement), { code: '42501' }, statement)
})

test('the service with no policy for it sees no rows, rather than all', async () => {
  await inTransaction(db, async (tx) => {
    await tx.query('drop policy service on runs; drop policy service on organizations')
    assert.deepEqual(await rows(tx, 'select from organizations'), [])
    await tx.query('rollback; begin')
  })
  assert.ok((await rows(db, 'select from organizations')).length)
})

test('a database that was restored under another owner is whole before anything is migrated', async () => {
  await db.query('alter policy service on organizations to pg_monitor')
  const pool = openPool(db.url, { connectionsMax: 1 })
  assert.deepEqual(await rows(pool, 'select from organizations'), [])
  await migrate(pool)
  assert.ok((await rows(pool, 'select from organizations')).length)
  await pool.end()
})
