import { maybeOne, type Db } from '#db/pool.ts'
import type { Fixer } from '#domain/hosts/fixer.ts'

/** Whether the agent's run, or another that works on the same pull request, has not ended. */
export async function isRunAtWork(
  db: Db,
  { organizationId, pullId, runId }: Pick<Fixer, 'organizationId' | 'pullId' | 'runId'>,
): Promise<boolean> {
  const run = await maybeOne(
    db,
    `select from run_heads where organization_id = $1 and status not in ('completed', 'failed', 'cancelled')
       and run_id in (select $3::bigint union select id from runs where organization_id = $1 and pull_id = $2 and task is null) limit 1`,
    [organizationId, pullId, runId],
  )
  return run !== undefined
}
