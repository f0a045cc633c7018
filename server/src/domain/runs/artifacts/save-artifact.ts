import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordBlobs, type StoredBlob } from '#domain/runs/blobs/record-blobs.ts'
import { takingStorage } from '#domain/accounts/storage/storage.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type SaveArtifact = { holder: Holder; name: string; contentType: string; blob: StoredBlob }

/** Stores a file that the agent left, replacing one of the same name from an earlier turn. Throws `LeaseLost`, `storage_full`. */
export async function saveArtifact(db: Db, { holder, name, contentType, blob }: SaveArtifact): Promise<void> {
  const { organizationId, runId, turn, leaseId } = holder
  await inTransaction(db, async (tx) => {
    // The run is locked before its storage, in the order in which log writers lock them.
    const { rowCount } = await tx.query(
      'select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for share',
      [organizationId, runId, leaseId],
    )
    if (!rowCount) throw new LeaseLost(runId)
    await recordBlobs(tx, { organizationId, blobs: [blob] })
    await takingStorage(() =>
      tx.query(
        `insert into artifacts (organization_id, run_id, name, sha256, content_type, turn) values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, run_id, name) do update set sha256 = excluded.sha256, content_type = excluded.content_type,
         turn = excluded.turn, created_at = case when artifacts.sha256 = excluded.sha256 then artifacts.created_at else now() end`,
        [organizationId, runId, name, blob.sha256, contentType, turn],
      ),
    )
  })
}
