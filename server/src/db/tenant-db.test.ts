import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { one, openPool, rows } from './pool.ts'
import { TenantDb } from './tenant-db.ts'
import { inTransaction } from './transaction.ts'

const db = await testDb()
const [mine, theirs] = [await makeOrganization(db), await makeOrganization(db)]
const tenant = new TenantDb(db, mine.id)
const refused = { code: '42501' }

/** Every table with rows of organizations, as the catalog knows them: a new one is tested from its first day on. */
const tables = (
  await rows<{ name: string }>(
    db,
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
).map(({ name }) => name)

const values: Record<string, string> = {
  bigint: '$2::bigint',
  integer: '$2::bigint',
  smallint: '1',
  numeric: '1',
  boolean: 'true',
  text: '$2::text',
  uuid: 'gen_random_uuid()',
  bytea: `sha256($2::bigint::text::bytea)`,
  json: `'{}'`,
  jsonb: `'{}'`,
  date: 'current_date',
  'timestamp with time zone': 'now()',
}

/** A statement that makes a row of the organization $1 that differs in $2, made of the columns that need a value. */
async function insertion(table: string): Promise<string> {
  const columns = await rows<{ name: string; type: string }>(
    db,
    `select attname as name, regexp_replace(format_type(atttypid, atttypmod), '\\(.*\\)', '') as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'organization_id'
       and attnotnull and not atthasdef and attidentity = ''`,
    [table],
  )
  const names = ['organization_id', ...columns.map(({ name }) => name)]
  const options = columns.map(({ name, type }) => {
    assert.ok(values[type] ?? type.endsWith('[]'), `this test has no value for ${table}.${name}, a ${type}`)
    return values[type] ?? `'{}'`
  })
  return `insert into ${table} (${names.join(', ')}) select ${['$1::bigint', ...options].join(', ')} where $2::bigint > 0`
}

/** Rows of both organizations in every table, whatever else the tables demand of them. */
async function fill(): Promise<void> {
  for (const table of tables) {
    const checks = await rows<{ name: string }>(
      db,
      `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
      [table],
    )
    for (const { name } of checks) await db.query(`alter table ${table} drop constraint ${name}`)
    const statement = await insertion(table)
    await inTransaction(db, async (tx) => {
      await tx.query(`set local session_replication_role = 'replica'`)
      for (const [n, { id }] of [mine, theirs].entries()) {
        const has = await rows(tx, `select from ${table} where organization_id = $1`, [id])
        if (!has.length) await tx.query(statement, [id, 70 + n])
      }
    })
  }
}
await fill()

const countOf = (organizationId: number, table: string) =>
  one<{ n: number }>(db, `select count(*) as n from ${table} where organization_id = $1`, [organizationId])

for (const table of tables) {
  test(`an organization sees its rows of ${table}, and no others, and makes none for others`, async () => {
    const all = (await one<{ n: number }>(tenant, `select count(*) as n from ${table}`)).n
    assert.equal(all, (await countOf(mine.id, table)).n)
    assert.ok(all > 0)
    const other = await rows(tenant, `select from ${table} where organization_id = $1`, [theirs.id])
    assert.equal(other.length, 0)
    await assert.rejects(tenant.query(await insertion(table), [theirs.id, 90]), refused)
    await assert.rejects(tenant.query(`update ${table} set organization_id = $1`, [theirs.id]), refused)
    await inTransaction(tenant, (tx) => tx.query(`delete from ${table} where organization_id = $1`, [theirs.id])).catch(
      (error: unknown) => assert.equal((error as { code: string }).code, refused.code),
    )
    assert.equal((await countOf(theirs.id, table)).n, 1)
  })
}

test('without an organization there are no rows in any table', async () => {
  await inTransaction(db, async (tx) => {
    await tx.query('set local role runwright_tenant')
    for (const table of [...tables, 'organizations', 'users']) {
      assert.deepEqual(await rows(tx, `select from ${table}`), [], table)
    }
  })
})

test('an organization sees itself, and the people who are its members', async () => {
  assert.deepEqual(await rows(tenant, 'select id from organizations'), [{ id: mine.id }])
  const seen = await rows<{ id: number }>(tenant, 'select id from users')
  assert.ok(seen.some(({ id }) => id === mine.adminId))
  assert.ok(!seen.some(({ id }) => id === theirs.adminId))
  await assert.rejects(tenant.query(`update users set is_admin = true`), refused)
  const { rowCount } = await tenant.query(`update organizations set name = 'mine' where id = $1`, [theirs.id])
  assert.equal(rowCount, 0)
})

test('partitions are not reached beside the table that they belong to', async () => {
  const partitions = await rows<{ name: string }>(
    db,
    `select relname as name from pg_class where relispartition and relkind = 'r'`,
  )
  assert.ok(partitions.length >= 2)
  for (const { name } of partitions) await assert.rejects(tenant.query(`select from ${name}`), refused)
})

test('the log is only ever added to', async () => {
  await assert.rejects(tenant.query(`update log_entries set message_type = 'x'`), refused)
  await assert.rejects(tenant.query('delete from log_entries'), refused)
})

test('what belongs to the whole instance is out of reach', async () => {
  await assert.rejects(tenant.query('select from migrations'), refused)
  await db.query(`insert into workers (name, slots, version, alive_until) values ('of all', 1, '0', now())`)
  assert.deepEqual(await rows(tenant, 'select from workers where organization_id is null'), [])
  for (const name of ['protect_tenants', 'become_tenant']) {
    await assert.rejects(tenant.query(`select ${name}()`), refused)
  }
})

test('1,000 interleaved requests of two organizations see their own rows, and leave no trace on a connection', async () => {
  await using pool = Object.assign(openPool(db.url, { connectionsMax: 4 }), {
    [Symbol.asyncDispose]: () => pool.end(),
  })
  const see = async (organizationId: number, n: number) => {
    const view = new TenantDb(pool, organizationId)
    const asked = 'select organization_id as id from memberships'
    // Some fail on the way, at each of the places where that can happen.
    if (n % 10 === 7) await assert.rejects(view.query('select 1 / (select 0)'), { code: '22012' })
    if (n % 10 === 8)
      await assert.rejects(
        inTransaction(view, () => Promise.reject(new Error('no'))),
        /no/,
      )
    if (n % 10 === 9) {
      const circle: Record<string, unknown> = {}
      circle.circle = circle
      await assert.rejects(view.query('select $1::json', [circle]), TypeError)
    }
    const found = await (n % 2
      ? rows<{ id: number }>(view, asked)
      : inTransaction(view, (tx) => rows<{ id: number }>(tx, asked)))
    assert.ok(found.length)
    for (const { id } of found) assert.equal(id, organizationId)
  }
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => see(n % 3 ? mine.id : theirs.id, n)))
  assert.ok(pool.totalCount <= 4)
  const traces = await Promise.all(
    Array.from({ length: 40 }, () =>
      one<{ isLogin: boolean; set: string | null }>(
        pool,
        `select current_user = session_user as "isLogin", nullif(current_setting('app.organization_id', true), '') as set`,
      ),
    ),
  )
  for (const trace of traces) assert.deepEqual(trace, { isLogin: true, set: null })
})

test('a transaction of an organization is undone as any other', async () => {
  const title = 'Half done'
  await assert.rejects(
    inTransaction(tenant, async (tx) => {
      await tx.query('update organizations set name = $1', [title])
      throw new Error('Something else went wrong')
    }),
    /Something else/,
  )
  assert.equal((await one<{ n: number }>(db, 'select count(*) as n from organizations where name = $1', [title])).n, 0)
})

test('what is no id of an organization is refused before the database hears of it', () => {
  for (const id of [Number.NaN, 1.5, '1; reset role' as unknown as number]) {
    assert.throws(() => new TenantDb(db, id), /no id/)
  }
})
