import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { testDb } from '../../server/test/test-db.ts'
import { checkStatements } from './check-statements.ts'
import { findStatements, type FoundStatement } from './find-statements.ts'
import { neverNull } from './never-null.ts'
import { openProject } from './open-project.ts'

const root = path.join(import.meta.dirname, '../..')
const { url } = await testDb()

/** Statements put together of what is known only when they run, so that nobody reads them here. No other may be added. */
const unread = { 'server/src/domain/runs/usage/list-usage.ts': 2 }

test('the rows of every statement have the columns that their type says', async () => {
  const files = globSync('server/src/**/*.ts', { cwd: root }).filter((file) => !/\.(?:test|slow)\.ts$/.test(file))
  const found = find(path.join(root, 'tsconfig.json'), files.toSorted())
  assert.ok(found.length > 250, `only ${found.length} statements were found`)
  const faults = await check(found)
  const isOfNull = (fault: string) => fault.endsWith(', which may be null')
  assert.deepEqual(
    faults.filter((fault) => !isOfNull(fault)),
    [],
  )
  const excluded = Object.entries(neverNull).flatMap(([file, fields]) =>
    fields.map((name) => `server/src/${file} has ${name}, which may be null`),
  )
  const maybeNull = faults.filter(isOfNull).map((fault) => fault.replace(/:\d+ /, ' '))
  assert.deepEqual(maybeNull.toSorted(), excluded.toSorted())
  const unknown = found.filter(({ texts }) => !texts.length).map(({ place }) => place.split(':')[0]!)
  assert.deepEqual(
    Object.fromEntries(Object.entries(Object.groupBy(unknown, String)).map(([file, all]) => [file, all?.length])),
    unread,
  )
})

test('a column that is misnamed or missing fails, and so does one of another type, or one that may be null', async () => {
  assert.deepEqual(await faultsOf('rows<{ id: number; repoId: number | null }>(db, `select ${columns} from runs`)'), [])
  assert.deepEqual(await faultsOf('rows<{ id: number; repositoryId: number }>(db, `select ${columns} from runs`)'), [
    'planted.ts:4 has no column for repositoryId',
  ])
  assert.deepEqual(await faultsOf("one<{ prompt: string; title?: string }>(db, 'select prompt from runs')"), [
    'planted.ts:4 has no column for title',
  ])
  assert.deepEqual(await faultsOf("maybeOne<{ createdAt: string }>(db, 'select created_at from runs')"), [
    'planted.ts:4 has createdAt as Date, not string',
  ])
  assert.deepEqual(await faultsOf("rows<{ id: number; repoId: number }>(db, 'select id, repo_id from runs')"), [
    'planted.ts:4 has repoId, which may be null',
  ])
  assert.deepEqual(await faultsOf("rows<{ ids: number[] }>(db, 'select array_agg(id) as ids from runs')"), [
    'planted.ts:4 has ids as string[], not number[]',
  ])
  assert.deepEqual(await faultsOf("rows<{ run: { at: Date } }>(db, `select json_build_object('at', now()) as run`)"), [
    'planted.ts:4 has run as JSON, whose dates are text',
  ])
})

test('a statement that PostgreSQL refuses fails, in each form that it may have', async () => {
  const [fault, ...others] = await faultsOf(
    "rows(db, `select id from ${isOld ? 'runs' : 'rusn'} where ${isOld ? 'id = 1' : 'true'}`)",
  )
  assert.match(
    fault ?? '',
    /^planted\.ts:4 is refused: relation "rusn" does not exist\nselect id from rusn where true$/,
  )
  assert.deepEqual(others, [])
})

async function check(found: FoundStatement[]): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await checkStatements(client, found)
  } finally {
    await client.end()
  }
}

function find(config: string, files: string[]) {
  using opened = openProject(config)
  const folder = path.dirname(config)
  const found = findStatements(
    opened.project,
    files.map((file) => path.join(folder, file)),
  )
  return found.map((one) => ({ ...one, place: path.relative(folder, one.place) }))
}

/** Of a file with this call. */
async function faultsOf(call: string): Promise<string[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-rows-'))
  try {
    const pool = JSON.stringify(path.join(root, 'server/src/db/pool.ts'))
    const typeRoots = [path.join(root, 'node_modules/@types')]
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions: { typeRoots }, include: ['*.ts'] }),
    )
    writeFileSync(
      path.join(folder, 'planted.ts'),
      `import { maybeOne, one, rows, type Db } from ${pool}
const columns = 'id, repo_id'
export const read = (db: Db, isOld: boolean) =>
  ${call}
export const all = [maybeOne, one, rows, columns]
`,
    )
    return await check(find(path.join(folder, 'tsconfig.json'), ['planted.ts']))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
