import type pg from 'pg'
import { one, rows } from '#db/pool.ts'

type Column = { name: string; type: string; isRequired: boolean }

/** Of each type a value that is easily lost on the way. */
const samples: [type: RegExp, value: string][] = [
  [/^bytea$/, `'\\x00ff0a5c09'`],
  [/^jsonb$/, `'{"b": [1, null, "tab\\\\t"], "a": "\\\\\\\\N"}'`],
  [/^json$/, `'{"b":  1.0, "a" : 1, "a": "\\\\n"}'`],
  [/^text\[\]$/, `array['a,b', '"', '\\', null, '{}', E'\\n\\t']`],
  [/\[\]$/, `'{}'`],
  [/^text$/, `E'\\\\N\\n\\\\.\\n\\ttab \u{1F600}'`],
  [/^timestamp/, `'infinity'`],
  [/^uuid$/, 'gen_random_uuid()'],
  [/^double|^real/, `'0.1'`],
  [/^numeric/, `'12345678.123456'`],
  [/^boolean$/, 'true'],
  [/^(big|small)?int/, '7'],
  [/^date$/, `'2026-02-28'`],
]

/** What a constraint of the column allows, where no sample does. */
const allowed: Record<string, string> = {
  'deletions.part': `'egress'`,
  'pull_reviewers.reason': `'code_owner'`,
  'pull_reviews.verdict': `'approve'`,
  'retention.part': `'logs'`,
}

/** Puts a row into each table that has none; what belongs to an organization into this one. Answers those that it could not fill, with why. */
export async function fillTables(db: pg.Pool, organizationId: number): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  let left = tables.map(({ name }) => name)
  let faults: string[] = []
  // One may need a row of another one.
  for (let before = Infinity; left.length && left.length < before;) {
    before = left.length
    faults = []
    const again: string[] = []
    for (const name of left) {
      const fault = await fillTable(db, { table: name, organizationId })
      if (!fault) continue
      again.push(name)
      faults.push(`${name}: ${fault}`)
    }
    left = again
  }
  return faults
}

type FillTable = { table: string; organizationId: number }

async function fillTable(db: pg.Pool, { table, organizationId }: FillTable): Promise<string | undefined> {
  const { has } = await one<{ has: boolean }>(db, `select exists (select from ${table}) as has`)
  if (has) return undefined
  const columns = await rows<Column>(
    db,
    `select attname::text as name, format_type(atttypid, null) as type, attnotnull as "isRequired" from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`,
    [table],
  )
  const keys = await rows<{ columns: string[]; table: string; targets: string[] }>(
    db,
    `select confrelid::regclass::text as table,
       array(select attname::text from unnest(conkey) with ordinality k (n, i) join pg_attribute on attrelid = conrelid and attnum = n order by i) as columns,
       array(select attname::text from unnest(confkey) with ordinality k (n, i) join pg_attribute on attrelid = confrelid and attnum = n order by i) as targets
     from pg_constraint where contype = 'f' and conparentid = 0 and conrelid = $1::regclass order by cardinality(conkey)`,
    [table],
  )
  const values = new Map<string, string>()
  for (const { name, type } of columns) values.set(name, samples.find(([of]) => of.test(type))?.[1] ?? 'default')
  for (const key of keys)
    for (const [n, column] of key.columns.entries())
      values.set(
        column,
        `(select ${key.targets[n]} from ${key.table} ${key.targets.includes('organization_id') ? `where organization_id = ${organizationId}` : key.table === 'organizations' ? `where id = ${organizationId}` : ''} order by ${key.targets.join()} limit 1)`,
      )
  for (const { name } of columns) {
    const known = allowed[`${table}.${name}`]
    if (known !== undefined) values.set(name, known)
  }
  try {
    const names = [...values.keys()]
    await db.query(
      `alter table ${table} disable trigger user; insert into ${table} (${names.join()}) select ${names.map((name) => values.get(name)).join()}; alter table ${table} enable trigger user`,
    )
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
