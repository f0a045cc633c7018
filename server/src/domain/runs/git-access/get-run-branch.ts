import { maybeOne, type Db } from '#db/pool.ts'
import { missingRun } from '#domain/runs/missing-run.ts'
import { runTables, type RunIds } from '#domain/runs/run.ts'

/** Where a run's work lies: the repository's path on its host, and the commits that its branch began with and is at. */
export type RunBranch = {
  host: string
  ref: { organizationId: number; path: string }
  branch: string | null
  base: string | null
  head: string | null
}

/** A run without a repository has one of its own, which nobody else sees. Throws `run_not_found`. */
export async function getRunBranch(db: Db, { organizationId, runId }: RunIds): Promise<RunBranch> {
  const row = await maybeOne<{
    host: string | null
    path: string | null
    branch: string | null
    base: string | null
    head: string | null
  }>(
    db,
    `select p.host, p.path, r.branch, r.base_commit as base, case when p.removed_at is null and not r.deleted_parts @> '{repositories}' then r.branch_commit end as head
     from ${runTables} left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
     where r.organization_id = $1 and r.id = $2`,
    [organizationId, runId],
  )
  if (!row) throw await missingRun(db, { organizationId, runId })
  const path = row.path ?? privateRepositoryPath({ organizationId, runId })
  return {
    host: row.host ?? 'local',
    ref: { organizationId, path },
    branch: row.branch,
    base: row.base,
    head: row.head,
  }
}

/** What stands for the name of such a repository in its address; no repository with a name is called so. */
export const privateRepositoryName = ({ runId }: Pick<RunIds, 'runId'>) => `runs/${runId}`

export function privateRepositoryPath({ organizationId, runId }: RunIds): string {
  return `${organizationId}/run-${runId}.git`
}
