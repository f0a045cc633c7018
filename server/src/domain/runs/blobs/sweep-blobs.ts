import { limits } from '#base/limits.ts'
import { mayCollect } from '#domain/accounts/storage/may-collect.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'

/** The store that holds the bytes. */
export type SweptStore = { delete(key: { organizationId: number; sha256: string }): Promise<void> }

/**
 * Removes blobs that no row refers to any more, a bounded number at a time; the others are checked again much later. While a
 * backup is made, none. Returns how many it removed.
 */
export async function sweepBlobs(db: Db, store: SweptStore): Promise<number> {
  await db.query(
    `update blobs b set look_at = now() + $1 * interval '1 millisecond'
     where (organization_id, sha256) in (
       select organization_id, sha256 from blobs b where look_at <= now() and ${isNamed} order by look_at limit $2 for update skip locked)`,
    [limits.blobNamedMs, limits.blobsSweptMax],
  )
  return inTransaction(db, async (tx) => {
    // Locked until the bytes are gone: a writer of the same bytes waits for the row, and then writes them again. A store
    // that keeps being retried must not outlast the lock.
    await tx.query(`set local idle_in_transaction_session_timeout = ${limits.blobsSweepMs}`)
    if (!(await mayCollect(tx))) return 0
    const unnamed = await rows<{ organizationId: number; sha256: string }>(
      tx,
      `select organization_id, sha256 from blobs b
       where look_at <= now() and not (${isNamed}) order by look_at limit $1 for update skip locked`,
      [limits.blobsSweptMax],
    )
    if (!unnamed.length) return 0
    await tx.query(
      `delete from blobs using unnest($1::bigint[], $2::text[]) as t (organization_id, sha256)
       where blobs.organization_id = t.organization_id and blobs.sha256 = t.sha256`,
      [unnamed.map(({ organizationId }) => organizationId), unnamed.map(({ sha256 }) => sha256)],
    )
    await Promise.all(unnamed.map((key) => store.delete(key)))
    return unnamed.length
  })
}

export const blobsAreDue = 'exists (select from blobs where look_at <= now())'

/** Every kind of row that refers to a blob `b`; `list-kept-blobs.ts` knows them too. */
const isNamed = `
  (exists (select from artifacts a where a.organization_id = b.organization_id and a.sha256 = b.sha256)
   or exists (select from checkpoints c where c.organization_id = b.organization_id and c.sha256 = b.sha256)
   or exists (select from log_archives l where l.organization_id = b.organization_id and l.sha256 = b.sha256)
   or exists (select from checks h where h.organization_id = b.organization_id and h.log_sha256 = b.sha256)
   or exists (select from messages m where m.organization_id = b.organization_id and m.images::text <> '[]'
     and m.images::jsonb @> jsonb_build_array(jsonb_build_object('sha256', b.sha256))))`
