import { limits } from '#base/limits.ts'
import type pg from 'pg'

/**
 * Prolongs the leases of these workers, and with them those of all their runs. Answers with the ids of those that it has prolonged: the
 * lease of any other one had ended, and its runs are not its own any more.
 */
export async function renewWorkers(
  db: Pick<pg.ClientBase, 'query'>,
  { workerIds }: { workerIds: readonly number[] },
): Promise<Set<number>> {
  const { rows } = await db.query<{ id: string }>(
    `update workers set alive_until = now() + $2 * interval '1 millisecond' where id = any($1) and alive_until > now() returning id`,
    [workerIds, limits.leaseMs],
  )
  return new Set(rows.map(({ id }) => Number(id)))
}
