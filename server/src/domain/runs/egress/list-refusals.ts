import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

const NAMES_MAX = 5

/** Names that were refused to a run's sandbox because nobody allows them, in the last milliseconds; those most asked for first. */
export async function listRefusals(
  db: Db,
  { organizationId, runId, sinceMs }: RunIds & { sinceMs: number },
): Promise<{ name: string; count: number }[]> {
  return rows<{ name: string; count: number }>(db, refusalsOf, [organizationId, runId, Math.ceil(sinceMs)])
}

const refusalsOf = {
  name: 'refusals-of-run',
  text: `select name, count(*)::int as count from egress_requests
     where organization_id = $1 and run_id = $2 and not allowed and reason in ('not_allowed', 'port_not_allowed')
       and at >= clock_timestamp() - $3::int * interval '1 millisecond'
     group by name order by count desc, name limit ${NAMES_MAX}`,
}
