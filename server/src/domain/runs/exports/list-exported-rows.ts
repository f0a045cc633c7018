import type pg from 'pg'
import { exportLimits } from '#base/export-limits.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { exportedTables, type ExportedRows, type ExportedTable, type ExportKind } from './exported-tables.ts'

export type ListExportedRows = {
  table: string
  kind: ExportKind
  /** Null: what belongs to no organization. */
  organizationId: number | null
  /** Of the run, the repository or the person; of an organization nothing more is named. */
  id: number | null
  /** How many one statement reads; as `exportLimits` says when left out. */
  rowsMax?: number
}

/** `at`: the values of its key. */
export type FoundRow = { line: string; at: string[] }

/**
 * The rows of a table that an export has, each as JSON in one line. Read a few at a time, each time from where the last ones
 * ended: no transaction is held open while somebody takes hours to receive them.
 */
export async function* listExportedRows(db: Db, options: ListExportedRows): AsyncGenerator<string> {
  const { table, kind, organizationId } = options
  for (const part of exportedTables[table]?.[kind] ?? []) {
    if ((part.isAlone ?? false) !== (organizationId === null)) continue
    const read = rowReader(db, { ...options, part })
    for (let found = await read(); found.length; found = await read(found.at(-1)!.at)) {
      // Only between the parts of what is stored as JSON are there line breaks: within a text they are escaped.
      for (const { line } of found) yield line.replaceAll(/[\r\n]/g, ' ')
    }
  }
}

/** Reads the next rows after those with this key. */
export function rowReader(db: Db, { table: name, organizationId, id, part, ...options }: ReadRows) {
  const table = exportedTables[name]!
  const rowsMax = options.rowsMax ?? (table.isLarge ? exportLimits.largeRowsMax : exportLimits.rowsMax)
  const { first, next } = statementsOf(name, { table, part, rowsMax })
  const values = first.includes('$2') ? [organizationId, id] : [organizationId]
  return (after?: string[]) =>
    inTransaction(db, (tx) => readInOrder(tx, after ? next : first, [...values, ...(after ?? [])]))
}

type ReadRows = Omit<ListExportedRows, 'kind'> & { part: ExportedRows }

/**
 * By an index that has the rows in this order, whatever the planner believes of a table that has just grown: where it sorts, each
 * statement reads all that is left.
 */
async function readInOrder(tx: pg.PoolClient, statement: string, values: unknown[]): Promise<FoundRow[]> {
  const [, { rows: found }] = await Promise.all([
    tx.query('set local enable_sort = off; set local enable_incremental_sort = off'),
    tx.query<FoundRow>(statement, values),
  ])
  return found
}

type StatementsOf = { table: ExportedTable; part: ExportedRows; rowsMax: number }

export function statementsOf(name: string, { table, part, rowsMax }: StatementsOf) {
  const { where } = part
  const columns = listOf(part.columns ?? table.columns)
  const keys = listOf(part.key ?? table.key)
  const select = `select (select row_to_json(c) from (select ${columns.join()}) c)::text as line, array[${keys.map((key) => `(${key})::text`).join()}] as at
    from ${name} t where ${where}`
  const order = ` order by ${keys.join()} limit ${rowsMax}`
  const used = where.includes('$2') ? 2 : 1
  const after = ` and (${keys.join()}) > (${keys.map((_, n) => `$${used + n + 1}`).join()})`
  return { first: select + order, next: select + after + order }
}

/** Plain names are of the table's columns; anything else is an expression already, without a space in it. */
function listOf(text: string): string[] {
  return text.split(', ').map((part) => (/^\w+$/.test(part) ? `t.${part}` : part))
}
