import { exportLimits } from '#base/export-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { privateRepositoryPath } from '#domain/runs/git-access/get-run-branch.ts'
import type { ExportKind } from './exported-tables.ts'

export type ListExportedRepositories = { kind: ExportKind; id: number; organizationId: number }

/** `name`: of its folder in an archive. `isOfRun`: what a run without a repository works in, which may not be there. */
export type ExportedRepository = { name: string; path: string; isOfRun: boolean }

/** The repositories of the built-in host that an export has. Of those of other hosts only mirrors are here. */
export async function* listExportedRepositories(
  db: Db,
  { kind, id, organizationId }: ListExportedRepositories,
): AsyncGenerator<ExportedRepository> {
  const which = kind === 'organization' ? null : id
  if (kind !== 'run')
    for await (const repo of inTurn((after) => rows<Found>(db, reposOf, [organizationId, which, after, atOnce])))
      yield { name: String(repo.id), path: repo.path!, isOfRun: false }
  if (kind === 'repo') return
  for await (const { id: runId } of inTurn((after) =>
    rows<Found>(db, runsOf, [organizationId, which, after, atOnce]),
  )) {
    yield { name: `run-${runId}`, path: privateRepositoryPath({ organizationId, runId }), isOfRun: true }
  }
}

type Found = { id: number; path: string | null }

const atOnce = exportLimits.rowsMax

async function* inTurn(read: (after: number) => Promise<Found[]>): AsyncGenerator<Found> {
  for (let after = 0; ;) {
    const found = await read(after)
    yield* found
    if (found.length < atOnce) return
    after = found.at(-1)!.id
  }
}

const reposOf = `select id, path from repos
  where organization_id = $1 and ($2::bigint is null or id = $2) and id > $3 and host = 'local' and removed_at is null order by id limit $4`

const runsOf = `select r.id, null::text as path from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
  where r.organization_id = $1 and ($2::bigint is null or r.id = $2) and r.id > $3 and r.repo_id is null
    and not exists (select from deletions d where d.organization_id = r.organization_id and d.run_id = r.id and d.part = 'repositories')
  order by r.id limit $4`
