import type { Db } from '#db/pool.ts'

/** Has mirrors looked at and counted that were here before mirrors counted; the others are known. */
export async function lookAtMirrors(db: Db): Promise<void> {
  await db.query(
    `insert into storage (organization_id, scope, id, look_at)
     select organization_id, 'repo', id, now() from repos where host <> 'local' and removed_at is null on conflict do nothing`,
  )
}
