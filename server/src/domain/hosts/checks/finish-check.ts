import type { CheckConclusion } from '#base/hosts/host-facts.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { storeBlob, type BlobSink } from '#domain/runs/blobs/store-blob.ts'
import type { ClaimedCheck } from './start-check.ts'
import { dropLogPieces } from './drop-log-pieces.ts'
import { recordChecksChanged } from './record-checks-changed.ts'

export type FinishCheck = {
  claimed: ClaimedCheck
  conclusion: CheckConclusion
  summary: string
  /** Masked. */
  log: Uint8Array
  blobs: BlobSink
}

/** Stores the result of a check, once. False if the claim is lost: another worker runs it, or has run it. */
export async function finishCheck(db: Db, { claimed, conclusion, summary, log, blobs }: FinishCheck): Promise<boolean> {
  const { organizationId, checkId, claimId } = claimed
  const stored = log.length > 0 ? await storeBlob(db, blobs, { organizationId, bytes: log, kind: 'logs' }) : undefined
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update checks set status = 'completed', conclusion = $4, summary = $5, log_sha256 = $6, completed_at = now(),
         claim_id = null, log_pieces = 0
       where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress'`,
      [organizationId, checkId, claimId, conclusion, summary, stored?.sha256],
    )
    if (!rowCount) return false
    await dropLogPieces(tx, { organizationId, checkIds: [checkId] })
    await recordChecksChanged(tx, claimed)
    return true
  })
}
