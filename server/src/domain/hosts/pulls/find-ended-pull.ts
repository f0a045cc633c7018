import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { pullsOfRun } from '#domain/runs/run.ts'

/** The last pull request of a run's branch that is closed or merged by now. */
export async function findEndedPull(
  db: Db,
  { organizationId, runId, branch }: RunIds & { branch: string },
): Promise<{ id: number; headCommit: string } | undefined> {
  return maybeOne<{ id: number; headCommit: string }>(
    db,
    `select p.id, p.head_commit from runs r join pulls p on ${pullsOfRun}
     where r.organization_id = $1 and r.id = $2 and p.head_branch = $3 and p.state = 'closed' order by p.id desc limit 1`,
    [organizationId, runId, branch],
  )
}
