import type { Db } from '#db/pool.ts'

/** Bytes that lie in the blob store. */
export type StoredBlob = { sha256: string; bytes: number }

/** Notes that these bytes are stored for the organization; what is noted already stays as it is. */
export async function recordBlobs(
  db: Db,
  { organizationId, blobs }: { organizationId: number; blobs: StoredBlob[] },
): Promise<void> {
  await db.query(
    `insert into blobs (organization_id, sha256, bytes) select $1, t.sha256, t.bytes
     from unnest($2::text[], $3::bigint[]) as t (sha256, bytes) on conflict do nothing`,
    [organizationId, blobs.map(({ sha256 }) => sha256), blobs.map(({ bytes }) => bytes)],
  )
}
