import { rows, type Db } from '#db/pool.ts'

/** Which of these runs were asked to stop. */
export async function listStopping(db: Db, { runIds }: { runIds: number[] }): Promise<number[]> {
  const found = await rows<{ runId: number }>(
    db,
    `select run_id from run_heads where run_id = any($1) and wanted = 'cancel'`,
    [runIds],
  )
  return found.map(({ runId }) => runId)
}
