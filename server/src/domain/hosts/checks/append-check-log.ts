import type { Db } from '#db/pool.ts'
import type { ClaimedCheck } from './start-check.ts'

export type AppendCheckLog = {
  claimed: Pick<ClaimedCheck, 'organizationId' | 'checkId' | 'claimId'>
  /** From 1. */
  n: number
  /** Masked. */
  bytes: Uint8Array
  /** Earlier pieces that give way for it. */
  dropped: { from: number; to: number } | null
}

/** Adds to what a check has printed so far, while it is at work. Does nothing where the claim is lost. */
export async function appendCheckLog(db: Db, { claimed, n, bytes, dropped }: AppendCheckLog): Promise<void> {
  const { organizationId, checkId, claimId } = claimed
  await db.query(
    `with held as (
       update checks set log_pieces = $4 where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress'
       returning organization_id, id),
     dropped as (
       delete from check_log_pieces p using held h
       where p.organization_id = h.organization_id and p.check_id = h.id and p.n between $6 and $7)
     insert into check_log_pieces (organization_id, check_id, n, bytes) select organization_id, id, $4, $5 from held`,
    [organizationId, checkId, claimId, n, bytes, dropped?.from, dropped?.to],
  )
}
