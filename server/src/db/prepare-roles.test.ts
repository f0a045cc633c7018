import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeOrganization } from '#test/make.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { one, openPool, rows, type Db } from './pool.ts'
import { TenantDb } from './tenant-db.ts'

// Roles belong to the whole server, so these have one of their own.
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-owner-'))
chmodSync(folder, 0o711)
const server = await startEmbedded(path.join(folder, 'postgres'))
const administrator = openPool(server.administratorUrl)
after(async () => {
  await administrator.end()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const ownersOf = async (db: Db) =>
  (
    await rows<{ name: string }>(
      db,
      `select pg_get_userbyid(relowner)::text as name from pg_class where relnamespace = 'public'::regnamespace
       union select pg_get_userbyid(proowner) from pg_proc where pronamespace = 'public'::regnamespace
       union select pg_get_userbyid(datdba) from pg_database where datname = current_database() order by 1`,
    )
  ).map(({ name }) => name)

test('a cluster in which the superuser did all is given to the login of the service, beside processes that are at work with it', async () => {
  await administrator.query('alter database runwright owner to runwright')
  await migrate(administrator)
  const { id } = await makeOrganization(administrator)
  assert.deepEqual(await ownersOf(administrator), ['runwright'])

  const again = await startEmbedded(path.join(folder, 'postgres'))
  assert.equal(again.adopted, true)
  const pool = openPool(again.url, { connectionsMax: 2 })
  after(() => pool.end())
  assert.deepEqual(await migrate(pool), [])
  assert.deepEqual(await ownersOf(pool), ['runwright_service'])
  assert.deepEqual(await rows(pool, 'select id from organizations'), [{ id }])
  assert.deepEqual(await rows(new TenantDb(pool, id), 'select id from organizations'), [{ id }])
  assert.deepEqual(await rows(new TenantDb(administrator, id), 'select id from organizations'), [{ id }])
  // What comes next is the service's too.
  await pool.query('select make_partitions(500000)')
  assert.deepEqual(await ownersOf(pool), ['runwright_service'])
})

test('the login of the service is no superuser, and is again none after somebody made it one', async () => {
  await administrator.query('alter role runwright_service superuser bypassrls')
  const again = await startEmbedded(path.join(folder, 'postgres'))
  const pool = openPool(again.url, { connectionsMax: 1 })
  after(() => pool.end())
  const found = await one(
    pool,
    'select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = session_user',
  )
  assert.deepEqual(found, { rolsuper: false, rolbypassrls: false, rolcreaterole: false })
  for (const statement of ['set role runwright', 'create role mine', `select pg_read_file('PG_VERSION')`])
    await assert.rejects(pool.query(statement), { code: '42501' }, statement)
})

test('processes that start at once have one password and one server', async () => {
  const fresh = mkdtempSync(path.join(os.tmpdir(), 'runwright-owner-'))
  chmodSync(fresh, 0o711)
  after(() => rm(fresh, { recursive: true, force: true }))
  const servers = await Promise.all([1, 2].map(() => startEmbedded(path.join(fresh, 'postgres'))))
  after(() => Promise.all(servers.map((one) => one.stop())))
  assert.equal(servers[0]?.url, servers[1]?.url)
  const pool = openPool(servers[0]?.url ?? '', { connectionsMax: 1 })
  await rows(pool, 'select 1')
  await pool.end()
})
