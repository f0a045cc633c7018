import { limits } from '#base/limits.ts'
import type pg from 'pg'

/** Prolongs a worker's lease, and with it that of all its runs. False when it ended: then they are not its runs any more. */
export async function renewWorker(
  db: Pick<pg.ClientBase, 'query'>,
  { workerId }: { workerId: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update workers set alive_until = now() + $2 * interval '1 millisecond' where id = $1 and alive_until > now()`,
    [workerId, limits.leaseMs],
  )
  return rowCount === 1
}
