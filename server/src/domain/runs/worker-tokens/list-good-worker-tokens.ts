import { rows, type Db } from '#db/pool.ts'

/** Which of these tokens of workers that are connected are neither revoked nor expired. Notes once a minute that they are used. */
export async function listGoodWorkerTokens(db: Db, { tokenIds }: { tokenIds: number[] }): Promise<Set<number>> {
  const good = await rows<{ id: number }>(
    db,
    `with good as (
       select id, last_used_at from worker_tokens where id = any($1) and (expires_at is null or expires_at > now())),
     used as (
       update worker_tokens t set last_used_at = now() from good g
       where t.id = g.id and g.last_used_at < now() - interval '1 minute')
     select id from good`,
    [tokenIds],
  )
  return new Set(good.map(({ id }) => id))
}
