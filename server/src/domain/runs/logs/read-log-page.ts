import type pg from 'pg'
import type { Db } from '#db/pool.ts'

export type ReadLogPage = {
  organizationId: number
  runId: number
  /** The numbers of the first and the last entry. */
  from: number
  to: number
  reverse?: boolean | undefined
}

/** A stretch of a run's log, each entry as the JSON text that is sent. Costs the same at any depth. */
export async function readLogPage(
  db: Db,
  { organizationId, runId, from, to, reverse }: ReadLogPage,
): Promise<string[]> {
  // As PostgreSQL sends it, in arrays: parsing times and naming columns would cost more than all the rest.
  const { rows } = await (db as pg.Pool).query<[seq: string, time: string, body: string]>({
    name: 'log-page',
    rowMode: 'array',
    types: asTheyCome,
    text: `select seq, created_at, body from log_entries
      where organization_id = $1 and run_id = $2 and seq between $3 and $4 order by seq`,
    values: [organizationId, runId, from, to],
  } as pg.QueryArrayConfig)
  const entries = rows.map(
    ([seq, time, body]) => `{"agent_run_id":${runId},"seq":${seq},"created_at":"${isoTime(time)}",${body.slice(1)}`,
  )
  return reverse ? entries.reverse() : entries
}

const asTheyCome = { getTypeParser: () => (text: string) => text }

/** PostgreSQL's `2026-11-21 13:05:09.12+00`, which leaves out zeros at the end, as `2026-11-21T13:05:09.120Z`. */
function isoTime(time: string): string {
  if (!time.endsWith('+00')) return new Date(/[+-]\d\d$/.test(time) ? `${time}:00` : time).toISOString()
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${time.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
}
