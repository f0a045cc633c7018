import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { testDb } from '#test/test-db.ts'
import { exportedTables, type ExportKind } from './exported-tables.ts'
import { leftOutColumns, leftOutTables } from './left-out-tables.ts'
import { listExportedRows, statementsOf } from './list-exported-rows.ts'

const db = await testDb()
const kinds: ExportKind[] = ['run', 'repo', 'organization', 'user']

const columns = await rows<{ tableName: string; columnName: string; type: string }>(
  db,
  `select c.table_name, c.column_name, c.data_type as type from information_schema.columns c
     join pg_class p on p.relname = c.table_name and p.relkind in ('r', 'p') and not p.relispartition
   where c.table_schema = 'public' order by 1, c.ordinal_position`,
)
const namesIn = (text: string) => text.split(', ')

test('every table of the schema is exported or left out with a reason', () => {
  const tables = [...new Set(columns.map(({ tableName }) => tableName))].toSorted()
  assert.ok(tables.length > 70)
  const known = [...Object.keys(exportedTables), ...Object.keys(leftOutTables)].toSorted()
  assert.deepEqual(known, tables)
})

test('every column of a table that is exported is exported or left out with a reason', () => {
  const undecided = columns.flatMap(({ tableName, columnName }) => {
    const table = exportedTables[tableName]
    if (!table) return []
    const lists = kinds.flatMap((kind) => table[kind] ?? []).flatMap((part) => (part.columns ? [part.columns] : []))
    const isExported = [table.columns, ...lists].some((list) => namesIn(list).includes(columnName))
    const isLeftOut = [columnName, `${tableName}.${columnName}`].some((name) => Object.hasOwn(leftOutColumns, name))
    const isOwner = columnName === 'organization_id'
    return (isExported ? 1 : 0) + (isLeftOut ? 1 : 0) === 1 || isOwner ? [] : [`${tableName}.${columnName}`]
  })
  assert.deepEqual(undecided, [])
  const named = Object.keys(leftOutColumns).filter((name) => name.includes('.'))
  const all = new Set(columns.map(({ tableName, columnName }) => `${tableName}.${columnName}`))
  assert.deepEqual(
    named.filter((name) => !all.has(name)),
    [],
  )
})

test('no export has bytes: secrets, digests and keys are stored as such', () => {
  const bytes = columns.filter(({ type }) => type === 'bytea')
  assert.ok(bytes.length > 10)
  for (const { tableName, columnName } of bytes)
    for (const list of [
      exportedTables[tableName]?.columns ?? '',
      ...kinds.flatMap((kind) => columnsOf(tableName, kind)),
    ])
      assert.ok(!namesIn(list).includes(columnName), `${tableName}.${columnName}`)
})

const columnsOf = (table: string, kind: ExportKind) =>
  (exportedTables[table]?.[kind] ?? []).map((part) => part.columns ?? '')

test('what names a person is in the export of a person or is left out with a reason', async () => {
  const naming = await rows<{ tableName: string; columnName: string }>(
    db,
    `select c.conrelid::regclass::text as table_name, a.attname as column_name from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = 'users'::regclass and c.conparentid = 0
     union select table_name, column_name from information_schema.columns
     where table_schema = 'public' and column_name in ('user_id', 'author_id') order by 1, 2`,
  )
  assert.ok(naming.length > 15)
  const others: Record<string, string> = {
    'deploy_keys.created_by': 'belongs to the repository',
    'integrations.created_by': 'belongs to the organization',
    'organizations.agent_id': 'is no person',
    'outside_sessions.user_id': 'is that of its run',
    'slack_tokens.user_id': 'names whose digest it is, for minutes',
    'worker_tokens.created_by': 'belongs to the organization',
  }
  const missing = naming.filter(
    ({ tableName, columnName }) =>
      !others[`${tableName}.${columnName}`] &&
      !exportedTables[tableName]?.user?.some(({ where }) => where.includes(`t.${columnName} = $2`)),
  )
  assert.deepEqual(missing, [])
})

test('every statement of an export runs, at its beginning and where it goes on', async () => {
  for (const [table, { key }] of Object.entries(exportedTables))
    for (const kind of kinds)
      for (const organizationId of [1, null]) {
        const id = kind === 'organization' ? null : 1
        for await (const line of listExportedRows(db, { table, kind, organizationId, id })) assert.fail(line + key)
      }
})

test('what may be many rows is read in the order of an index, so that no statement sorts what is left', async () => {
  const sorting = new Set<string>()
  await inTransaction(db, async (tx) => {
    await tx.query('set local enable_sort = off; set local enable_incremental_sort = off')
    for (const [name, table] of Object.entries(exportedTables))
      for (const kind of kinds)
        for (const part of table[kind] ?? []) {
          const { first } = statementsOf(name, { table, part, rowsMax: 500 })
          const values = first.includes('$2') ? [1, 1] : [1]
          const { rows: lines } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${first}`, values)
          if (lines.some((line) => /-> +(?:Incremental )?Sort /.test(line['QUERY PLAN']))) sorting.add(name)
        }
  })
  // Of one person, or no more than days, names and models make.
  assert.deepEqual([...sorting].toSorted(), ['credentials', 'identities', 'secrets', 'sessions', 'usage_days', 'users'])
})
