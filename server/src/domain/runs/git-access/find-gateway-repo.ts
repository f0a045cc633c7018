import { maybeOne, type Db } from '#db/pool.ts'
import { privateRepositoryPath } from './get-run-branch.ts'
import { runTables } from '#domain/runs/run.ts'
import { findRepoByName } from '#domain/repos/repos/find-repo-by-name.ts'
import type { Repo } from '#domain/repos/repo.ts'

/** A repository that git can reach: one of the organization, or, with no id, what a run without a repository works in. */
export type GatewayRepo = Pick<Repo, 'organizationId' | 'path' | 'defaultBranch' | 'archived' | 'branchRules'> & {
  id: number | null
  /** Where people find it, and push to it, on another host. */
  url?: string | null
  runId?: number
}

/** By its name, or as `runs/7`, which is no name. Null when there is none. */
export async function findGatewayRepo(
  db: Db,
  { organizationId, name }: { organizationId: number; name: string },
): Promise<GatewayRepo | null> {
  const [, digits] = /^runs\/(\d+)$/.exec(name) ?? []
  if (digits === undefined) return findRepoByName(db, { organizationId, name })
  const runId = Number(digits)
  const run = await maybeOne(
    db,
    `select from ${runTables} where r.organization_id = $1 and r.id = $2 and r.repo_id is null and not r.deleted_parts @> '{repositories}'`,
    [organizationId, runId],
  )
  if (!run) return null
  const path = privateRepositoryPath({ organizationId, runId })
  return { organizationId, id: null, runId, path, defaultBranch: 'main', archived: false, branchRules: [] }
}
