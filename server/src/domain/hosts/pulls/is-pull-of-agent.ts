import { maybeOne, type Db } from '#db/pool.ts'
import type { PullPlace } from './find-host-pull.ts'

/** Whether a run of ours has opened the pull request. */
export async function isPullOfAgent(db: Db, { organizationId, repoId, number }: PullPlace): Promise<boolean> {
  const opened = await maybeOne(
    db,
    'select from pulls where organization_id = $1 and repo_id = $2 and number = $3 and run_id is not null',
    [organizationId, repoId, number],
  )
  return opened !== undefined
}
