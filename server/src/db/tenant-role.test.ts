import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startEmbedded } from './embedded.ts'
import { findExcessRights } from './find-excess-rights.ts'
import { migrate } from './migrate.ts'
import { one, openPool, rows } from './pool.ts'
import { TenantDb } from './tenant-db.ts'

// Roles belong to the whole server, so these have one of their own.
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-roles-'))
chmodSync(folder, 0o711)
const server = await startEmbedded(path.join(folder, 'postgres'))
const administrator = openPool(server.administratorUrl)
// As in a PostgreSQL that somebody else runs.
await administrator.query('drop role runwright_tenant')
after(async () => {
  await administrator.end()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A database of its own, and a login who owns it and may do nothing else. */
async function makeLogin(name: string, rights = ''): Promise<ReturnType<typeof openPool>> {
  await administrator.query(`create role ${name} login password 'secret' ${rights}`)
  await administrator.query(`create database ${name} owner ${name}`)
  const url = new URL(`/${name}`, server.url)
  Object.assign(url, { username: name, password: 'secret' })
  const pool = openPool(url.href, { connectionsMax: 2 })
  after(() => pool.end())
  return pool
}

const countTables = async (pool: ReturnType<typeof openPool>) =>
  (await one<{ n: number }>(pool, `select count(*) as n from pg_tables where tablename = 'runs'`)).n

test('a login that may make roles needs no administrator', async () => {
  const pool = await makeLogin('maker', 'createrole')
  assert.ok((await migrate(pool)).length)
  assert.deepEqual(await migrate(pool), [])
  assert.deepEqual(await rows(new TenantDb(pool, 1), 'select from runs'), [])
  await administrator.query('drop database maker with (force)')
  await administrator.query('drop role runwright_tenant')
})

test('a login that may not make roles is told which two lines its administrator has to run, and then goes on', async () => {
  const pool = await makeLogin('plain')
  const failure = await migrate(pool).then(
    () => assert.fail('it migrated'),
    (error: Error) => error.message,
  )
  const lines = ['create role runwright_tenant nologin', 'grant runwright_tenant to plain']
  for (const line of lines) assert.ok(failure.includes(`  ${line};`), failure)
  assert.equal(await countTables(pool), 1)

  // Without the role nothing runs in its place with more rights.
  const attempt = new TenantDb(pool, 1).query('create table taken ()')
  await assert.rejects(attempt, /runwright_tenant/)
  assert.deepEqual(await rows(pool, `select from pg_tables where tablename = 'taken'`), [])

  for (const line of lines) await administrator.query(line)
  assert.deepEqual(await migrate(pool), [])
  assert.deepEqual(await rows(new TenantDb(pool, 1), 'select from runs'), [])
})

test('a table that is made later is covered from the next start on', async () => {
  const pool = await makeLogin('third', 'superuser')
  await migrate(pool)
  await pool.query('create table notes (organization_id bigint not null, note text)')
  await pool.query(`insert into notes values (1, 'mine'), (2, 'theirs')`)
  await assert.rejects(new TenantDb(pool, 1).query('select from notes'), { code: '42501' })
  assert.deepEqual(await migrate(pool), [])
  assert.deepEqual(await rows(new TenantDb(pool, 1), 'select note from notes'), [{ note: 'mine' }])
})

test('a database that was restored without its roles is whole again after the next start', async () => {
  const pool = await makeLogin('restored', 'superuser')
  await migrate(pool)
  await pool.query(`insert into organizations (name) values ('mine'), ('theirs')`)
  const rightsOf = () =>
    rows(
      pool,
      `select c.relname, c.relacl::text, c.relrowsecurity, p.polname from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
       where c.relacl::text like '%runwright_tenant%' or p.polname = 'tenant' order by 1, 2`,
    )
  const whole = await rightsOf()
  assert.ok(whole.length > 15)
  await pool.query('drop owned by runwright_tenant')
  assert.deepEqual(await rightsOf(), [])
  await migrate(pool)
  assert.deepEqual(await rightsOf(), whole)
  assert.deepEqual(await rows(new TenantDb(pool, 2), 'select name from organizations'), [{ name: 'theirs' }])
})

test('an operator is told what the login may do that it needs not', async () => {
  const pool = await makeLogin('mighty', 'superuser')
  await migrate(pool)
  assert.match((await findExcessRights(pool)).join(), /^The user "mighty" of DATABASE_URL is a superuser/)
  await administrator.query('alter role mighty nosuperuser bypassrls createrole')
  const found = await findExcessRights(pool)
  assert.equal(found.length, 2)
  assert.match(found.join(), /alter role mighty nobypassrls;.*alter role mighty nocreaterole;/)
  await administrator.query('alter role mighty nobypassrls nocreaterole')
  assert.deepEqual(await findExcessRights(pool), [])
})
