import { maybeOne, type Db } from '#db/pool.ts'
import { fixerColumns, type Fixer } from '#domain/hosts/fixer.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

/** A fixer that a worker looks after, by the job that it holds. */
export type HeldFixer = Fixer & { job: ClaimedJob }

/** The fixer that a job is about; undefined where its pull request is gone. */
export async function beginLook(db: Db, job: ClaimedJob): Promise<HeldFixer | undefined> {
  const fixer = await maybeOne<Fixer>(
    db,
    `update pull_agents set looked_at = now() where organization_id = $1 and pull_id = $2 returning ${fixerColumns}`,
    [job.organizationId, job.ref],
  )
  return fixer && { ...fixer, job }
}
