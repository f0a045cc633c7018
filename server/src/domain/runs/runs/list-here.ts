import { rows, type Db } from '#db/pool.ts'

/** What makes a run one of a place: it has not ended, and is not held by a worker of another place. */
export const isHere = (head: string, place: string) =>
  `${head}.status not in ('completed', 'failed', 'cancelled')
   and not exists (select from workers w where w.id = ${head}.worker_id and w.place <> ${place})`

/** Which of these runs are at work at this place, or may be next. */
export async function listHere(db: Db, { runIds, place }: { runIds: number[]; place: string }): Promise<Set<number>> {
  const found = await rows<{ runId: number }>(
    db,
    `select run_id from run_heads h where run_id = any($1) and ${isHere('h', '$2')}`,
    [runIds, place],
  )
  return new Set(found.map(({ runId }) => runId))
}
