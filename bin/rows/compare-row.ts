import { camelCase } from '../../server/src/db/pool.ts'
import type { Column } from './describe-statement.ts'
import type { Fields } from './fields-of.ts'

/** What `pg` makes of the types that statements answer, by their ids in PostgreSQL's `pg_type`. */
const kinds: Record<number, string> = {
  16: 'boolean',
  17: 'Buffer',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  114: 'json',
  700: 'number',
  701: 'number',
  1005: 'number[]',
  1007: 'number[]',
  1009: 'string[]',
  // Only single ones of 8 bytes become numbers.
  1016: 'string[]',
  1022: 'number[]',
  1043: 'string',
  1114: 'Date',
  1184: 'Date',
  1700: 'string',
  2950: 'string',
  3802: 'json',
}

/**
 * Where the type of a row says something else than the columns of its statement, a sentence each. `nullable` has the sources of
 * columns that may be null.
 */
export function compareRow(columns: Column[], fields: Fields, nullable: ReadonlySet<string>): string[] {
  const found = new Map(columns.map((column) => [camelCase(column.name), column]))
  return [...fields].flatMap(([name, field]) => {
    const column = found.get(name)
    if (!column) return [`has no column for ${name}`]
    const kind = kinds[column.typeId]
    if (kind === undefined) return [`has ${name} of the type with the id ${column.typeId}, which compare-row.ts lacks`]
    if (kind === 'json' && field.hasDates) return [`has ${name} as JSON, whose dates are text`]
    if (field.kinds.has('unknown')) return []
    if (kind !== 'json' && !field.kinds.has(kind))
      return [`has ${name} as ${kind}, not ${[...field.kinds].toSorted().join(' | ')}`]
    return nullable.has(column.source) && !field.kinds.has('null') ? [`has ${name}, which may be null`] : []
  })
}
