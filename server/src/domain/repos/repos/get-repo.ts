import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'

export async function getRepo(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<Repo> {
  const repo = await maybeOne<Repo>(
    db,
    `select ${repoColumns} from repos where organization_id = $1 and id = $2 and removed_at is null`,
    [organizationId, repoId],
  )
  if (!repo) throw new AppError('repo_not_found')
  return repo
}
