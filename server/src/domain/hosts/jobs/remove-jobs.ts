import type { Db } from '#db/pool.ts'
import type { JobKind } from './job.ts'

export type RemoveJobs = { organizationId: number; kind: JobKind; refs: readonly (string | number)[] }

/** Takes back jobs that wait. Whoever is at work at one finds its claim lost. */
export async function removeJobs(tx: Db, { organizationId, kind, refs }: RemoveJobs): Promise<void> {
  await tx.query('delete from jobs where organization_id = $1 and kind = $2 and ref = any($3::text[])', [
    organizationId,
    kind,
    refs.map(String),
  ])
}
