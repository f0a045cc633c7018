import type { Db } from '#db/pool.ts'

export type ForgetCheckpoints = {
  organizationId: number
  runId: number
  /** Default: all of the run. */
  upTo?: number
  /** Only if the run is held with this lease. */
  leaseId?: string
}

/** Forgets checkpoints whose content is in newer ones or on the branch. Their bytes may be swept at once. */
export async function forgetCheckpoints(
  db: Db,
  { organizationId, runId, upTo, leaseId }: ForgetCheckpoints,
): Promise<void> {
  await db.query(
    `with gone as (
       delete from checkpoints where organization_id = $1 and run_id = $2 and ($3::int is null or n <= $3)
         and ($4::uuid is null or exists (
           select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $4))
       returning sha256)
     update blobs set look_at = now() from gone where blobs.organization_id = $1 and blobs.sha256 = gone.sha256`,
    [organizationId, runId, upTo ?? null, leaseId ?? null],
  )
}
