import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type pg from 'pg'
import { entryLine } from './entry-line.ts'

export type ListLog = {
  organizationId: number
  runId: number
  skip: number
  limit: number
  reverse?: boolean | undefined
}

/** A page of a run's log, each entry as the JSON text that is sent. Costs the same at any depth. Throws `run_not_found`. */
export async function listLog(
  db: Db,
  { organizationId, runId, skip, limit, reverse }: ListLog,
): Promise<{ entries: string[]; total: number }> {
  const head = await maybeOne<{ total: number }>(
    db,
    'select next_seq - 1 as total from run_heads where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  if (!head) throw new AppError('run_not_found', { message: `There is no run ${runId} in this organization.` })
  const { total } = head
  if (skip >= total) return { entries: [], total }
  const [from, to] = reverse
    ? [Math.max(1, total - skip - limit + 1), total - skip]
    : [skip + 1, Math.min(total, skip + limit)]
  const { rows } = await (db as pg.Pool).query<{ seq: number; created_at: Date; body: string }>({
    name: 'log-page',
    text: 'select seq, created_at, body::text as body from log_entries where organization_id = $1 and run_id = $2 and seq between $3 and $4 order by seq',
    values: [organizationId, runId, from, to],
  })
  const entries = rows.map((row) => entryLine(runId, row))
  return { entries: reverse ? entries.reverse() : entries, total }
}
