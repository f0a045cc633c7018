import { one, rows, type Db } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { questionColumns, type Question } from './question.ts'

export type ListQuestions = { organizationId: number; runId: number; skip: number; limit: number }

/** Oldest first. Throws `run_not_found`. */
export async function listQuestions(
  db: Db,
  { organizationId, runId, skip, limit }: ListQuestions,
): Promise<{ items: Question[]; total: number }> {
  await getRun(db, { organizationId, runId })
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from questions where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  const items = await rows<Question>(
    db,
    `select ${questionColumns} from questions where organization_id = $1 and run_id = $2 order by n limit $3 offset $4`,
    [organizationId, runId, limit, skip],
  )
  return { items, total }
}
