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
  /** Of the command, where it came to one. */
  exitCode?: number | null
  durationMs?: number | null
  /** Masked. */
  log: Uint8Array
  blobs: BlobSink
}

/** Stores the result of a check, once. False if the claim is lost: another worker runs it, or has run it. */
export async function finishCheck(db: Db, request: FinishCheck): Promise<boolean> {
  const { claimed, conclusion, summary, exitCode = null, durationMs = null, log, blobs } = request
  const { organizationId, checkId, claimId } = claimed
  const stored = log.length > 0 ? await storeBlob(db, blobs, { organizationId, bytes: log, kind: 'logs' }) : undefined
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update checks set status = 'completed', conclusion = $4, summary = $5, log_sha256 = $6, completed_at = now(),
         claim_id = null, log_pieces = 0, exit_code = $7, duration_ms = $8
       where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress'`,
      [organizationId, checkId, claimId, conclusion, summary, stored?.sha256, exitCode, durationMs],
    )
    if (!rowCount) return false
    await dropLogPieces(tx, { organizationId, checkIds: [checkId] })
    await recordChecksChanged(tx, claimed)
    return true
  })
}
