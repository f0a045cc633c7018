import { maybeOne, type Db } from '#db/pool.ts'
import { fixerState } from '#domain/hosts/fixer.ts'
import type { PullPlace } from '#domain/hosts/pulls/find-host-pull.ts'

/** Whether the run that has opened a pull request looks after it, and nobody has sent it away. */
export async function isLookedAfter(db: Db, { organizationId, repoId, number }: PullPlace): Promise<boolean> {
  const found = await maybeOne(
    db,
    `select from pull_agents a join pulls p on p.organization_id = a.organization_id and p.id = a.pull_id
     where a.organization_id = $1 and a.repo_id = $2 and p.number = $3 and p.state = 'open' and ${fixerState('a')}->>'suspended' is null`,
    [organizationId, repoId, number],
  )
  return found !== undefined
}
