import { one, rows, type Db } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { messageColumns, type Message } from './message.ts'

export type ListMessages = { organizationId: number; runId: number; skip: number; limit: number }

/** Everything that was said to a run, oldest first. Throws `run_not_found`. */
export async function listMessages(
  db: Db,
  { organizationId, runId, skip, limit }: ListMessages,
): Promise<{ items: Message[]; total: number }> {
  await getRun(db, { organizationId, runId })
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from messages where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  const items = await rows<Message>(
    db,
    `select ${messageColumns} from messages where organization_id = $1 and run_id = $2 order by n limit $3 offset $4`,
    [organizationId, runId, limit, skip],
  )
  return { items, total }
}
