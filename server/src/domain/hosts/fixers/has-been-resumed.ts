import { maybeOne, type Db } from '#db/pool.ts'
import type { Fixer } from '#domain/hosts/fixer.ts'

/** Whether a person has sent the agent's run something since then. */
export async function hasBeenResumed(
  db: Db,
  { organizationId, runId, since }: Pick<Fixer, 'organizationId' | 'runId'> & { since: Date },
): Promise<boolean> {
  const message = await maybeOne(
    db,
    `select from messages where organization_id = $1 and run_id = $2 and created_at > $3
       and starts_with(coalesce(entry->>'messageType', 'USER_MESSAGE'), 'USER_') limit 1`,
    [organizationId, runId, since],
  )
  return message !== undefined
}
