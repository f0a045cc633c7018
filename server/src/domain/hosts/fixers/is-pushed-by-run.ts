import { maybeOne, type Db } from '#db/pool.ts'
import type { Fixer } from '#domain/hosts/fixer.ts'

/** Whether a commit was pushed by the agent's own run, or by another that works on the same pull request. */
export async function isPushedByRun(
  db: Db,
  { organizationId, pullId, runId, commit }: Pick<Fixer, 'organizationId' | 'pullId' | 'runId'> & { commit: string },
): Promise<boolean> {
  const push = await maybeOne(
    db,
    `select from effects where organization_id = $1 and kind = 'push' and state <> 'refused' and request->>'commit' = $4
       and run_id in (select $3::bigint union select id from runs where organization_id = $1 and pull_id = $2 and task is null) limit 1`,
    [organizationId, pullId, runId, commit],
  )
  return push !== undefined
}
