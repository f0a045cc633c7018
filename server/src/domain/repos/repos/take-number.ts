import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'

/**
 * The next number of the repository: of an issue or a pull request, so that `#7` is one thing. There are no doubles, since
 * the repository's row is locked until the end of the transaction. Throws `repo_not_found`.
 */
export async function takeNumber(
  tx: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<number> {
  const repo = await maybeOne(tx, 'select from repos where organization_id = $1 and id = $2 for no key update', [
    organizationId,
    repoId,
  ])
  if (!repo) throw new AppError('repo_not_found')
  const { number } = await one<{ number: number }>(
    tx,
    `select 1 + greatest(
       (select coalesce(max(number), 0) from pulls where organization_id = $1 and repo_id = $2),
       (select coalesce(max(number), 0) from issues where organization_id = $1 and repo_id = $2)) as number`,
    [organizationId, repoId],
  )
  return number
}
