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

/** Where the type of a row says something else than the columns of its statement, a sentence each. */
export function compareRow(columns: Column[], fields: Fields): string[] {
  const typeIds = new Map(columns.map(({ name, typeId }) => [camelCase(name), typeId]))
  return [...fields].flatMap(([name, field]) => {
    const typeId = typeIds.get(name)
    if (typeId === undefined) return [`has no column for ${name}`]
    const kind = kinds[typeId]
    const declared = field.kinds.join(' | ') || 'null'
    if (kind === undefined) return [`has ${name} of the type with the id ${typeId}, which compare-row.ts does not know`]
    if (kind === 'json') return field.hasDates ? [`has ${name} as JSON, whose dates are text`] : []
    return field.kinds.includes(kind) || field.kinds.includes('unknown')
      ? []
      : [`has ${name} as ${kind}, not ${declared}`]
  })
}
