import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/** Bytes that lie in the blob store. */
export type StoredBlob = { sha256: string; bytes: number }

/** Notes that the organization has these bytes, and keeps them from being swept for as long as it takes to name them. */
export async function recordBlobs(
  db: Db,
  { organizationId, blobs }: { organizationId: number; blobs: StoredBlob[] },
): Promise<void> {
  await db.query(
    `insert into blobs (organization_id, sha256, bytes, look_at)
     select distinct on (t.sha256) $1::bigint, t.sha256, t.bytes, now() + $4 * interval '1 millisecond'
     from unnest($2::text[], $3::bigint[]) as t (sha256, bytes) order by t.sha256
     on conflict (organization_id, sha256) do update set look_at = excluded.look_at`,
    [organizationId, blobs.map(({ sha256 }) => sha256), blobs.map(({ bytes }) => bytes), limits.blobUnnamedMs],
  )
}
