import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { one, rows, type Db } from '#db/pool.ts'

/**
 * Where a word stands in the database: `table.column` of every table of the schema, whatever the type of the column. Compressed
 * bytes are not looked into, so what is to be found there is planted where it is not compressed as well.
 */
export async function findInDatabase(db: Db, word: string): Promise<string[]> {
  const columns = await rows<{ tableName: string; columnName: string; dataType: string }>(
    db,
    `select c.table_name, c.column_name, c.data_type from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`,
  )
  if (columns.length < 300) throw new Error(`only ${columns.length} columns were found`)
  const found: string[] = []
  for (const { tableName, columnName, dataType } of columns) {
    const text = dataType === 'bytea' ? `encode("${columnName}", 'escape')` : `"${columnName}"::text`
    const { count } = await one<{ count: number }>(
      db,
      `select count(*) as count from "${tableName}" where position($1 in ${text}) > 0`,
      [word],
    )
    if (count > 0) found.push(`${tableName}.${columnName}`)
  }
  return found
}

/** Files below a folder whose name or content holds the word. */
export function findInFolder(folder: string, word: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => {
      if (entry.name.includes(word)) return true
      return entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(word)
    })
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}
