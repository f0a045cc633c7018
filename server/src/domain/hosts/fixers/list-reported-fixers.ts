import { rows, type Db } from '#db/pool.ts'
import { fixerState, type FixerState } from '#domain/hosts/fixer.ts'

export type ListReportedFixers = {
  organizationId: number
  repoId: number
  commit: string
  /** Null: of any. */
  runId: number | null
}
export type ReportedFixer = { pullId: number; runId: number; head: string; suspended: FixerState['suspended'] }

/** The fixers of a repository that have reported a run on a commit, or are at it. */
export async function listReportedFixers(
  db: Db,
  { organizationId, repoId, commit, runId }: ListReportedFixers,
): Promise<ReportedFixer[]> {
  return rows<ReportedFixer>(
    db,
    `select pull_id, run_id, state->>'head' as head, ${fixerState()}->>'suspended' as suspended from pull_agents
     where organization_id = $1 and repo_id = $2 and $3 in (state->>'head', reported->>'commit') and run_id = coalesce($4, run_id)
     order by pull_id`,
    [organizationId, repoId, commit, runId],
  )
}
