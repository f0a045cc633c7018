import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

export type WakeFixers = { organizationId: number } & (
  | { repoId: number; about: { number: number } | { branch: string } | { commit: string } }
  | { runId: number }
)

/** Has agents look at their pull requests soon, not more often than is of use. Answers how many. */
export async function wakeFixers(db: Db, request: WakeFixers): Promise<number> {
  const { organizationId } = request
  const [where, values] = 'runId' in request ? ['a.run_id = $3', [request.runId]] : aboutOf(request)
  const { rowCount } = await db.query(
    `select request_job(a.organization_id, 'fixer', a.pull_id::text, greatest(now(), a.looked_at + $2 * interval '1 millisecond'))
     from pull_agents a join pulls p on p.organization_id = a.organization_id and p.id = a.pull_id
     where a.organization_id = $1 and ${where} order by a.pull_id`,
    [organizationId, limits.agentLookPauseMs, ...values],
  )
  if (rowCount) await wakeWorkers(db, { jobs: true })
  return rowCount ?? 0
}

function aboutOf({ repoId, about }: Extract<WakeFixers, { repoId: number }>): [string, unknown[]] {
  if ('number' in about) return ['a.repo_id = $3 and p.number = $4', [repoId, about.number]]
  if ('branch' in about)
    return [`a.repo_id = $3 and $4 in (p.head_branch, p.base_branch) and p.state = 'open'`, [repoId, about.branch]]
  return [`a.repo_id = $3 and $4 in (a.state->>'head', p.head_commit) and p.state = 'open'`, [repoId, about.commit]]
}
