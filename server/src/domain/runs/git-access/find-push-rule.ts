import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { PushPolicy } from '#domain/repos/environment.ts'
import { whyNeedsPerson, type PushedFile } from '#domain/repos/environments/why-needs-person.ts'

/** What a run may push: by what its files are compared, and what is against them. */
export type PushRule = {
  since: { branch: string; commit: string | null }
  whyNot: (files: readonly PushedFile[]) => string | null
}

/** As the run's base branch had it when the run began; undefined where it says nothing. */
export async function findPushRule(db: Db, { organizationId, runId }: RunIds): Promise<PushRule | undefined> {
  const found = await maybeOne<{ push: PushPolicy; branch: string; commit: string | null }>(
    db,
    `select environment->'push' as push, base_branch as branch, base_commit as commit from runs
     where organization_id = $1 and id = $2 and jsonb_typeof(environment->'push') = 'object'`,
    [organizationId, runId],
  )
  if (!found) return undefined
  const { push, ...since } = found
  return { since, whyNot: (files) => whyNeedsPerson(push, files) }
}
