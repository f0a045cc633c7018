import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { takingStorage, type StorageKind } from '#domain/accounts/storage/storage.ts'

/** Bytes in the blob store. */
export type StoredBlob = { sha256: string; bytes: number }

/** What the bytes are used for. */
export type BlobKind = Extract<StorageKind, 'artifacts' | 'checkpoints' | 'images' | 'logs'> | 'log_archives'

/** `kind` applies to new bytes; the default is artifacts. */
export type RecordBlobs = { organizationId: number; blobs: StoredBlob[]; kind?: BlobKind }

/**
 * Records that the organization has these bytes, and protects them from the sweep until a row can refer to them. A trigger counts
 * new bytes for the organization. Throws `storage_full`, and then records none.
 */
export async function recordBlobs(db: Db, { organizationId, blobs, kind = 'artifacts' }: RecordBlobs): Promise<void> {
  await takingStorage(() =>
    db.query(
      `insert into blobs (organization_id, sha256, bytes, look_at, kind)
       select distinct on (t.sha256) $1::bigint, t.sha256, t.bytes, now() + $4 * interval '1 millisecond', $5
       from unnest($2::text[], $3::bigint[]) as t (sha256, bytes) order by t.sha256
       on conflict (organization_id, sha256) do update set look_at = excluded.look_at`,
      [organizationId, blobs.map(({ sha256 }) => sha256), blobs.map(({ bytes }) => bytes), limits.blobUnnamedMs, kind],
    ),
  )
}
