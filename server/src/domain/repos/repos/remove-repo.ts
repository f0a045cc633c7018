import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { forgetGitBytes } from '#domain/accounts/storage/forget-git-bytes.ts'
import { getRepo } from './get-repo.ts'
import type { RepositoryAdmin } from './repository-admin.ts'

export type RemoveRepo = {
  organizationId: number
  repoId: number
  /** Whether its runs are deleted with it. */
  takesRuns?: boolean
  admin: Pick<RepositoryAdmin, 'removeRepository'>
}

/**
 * Removes a repository: nobody finds it any more, and all its bytes are removed soon after, whatever happens; on another host, what is here
 * of it, and nothing there. Runs that are kept stay readable. Throws `repo_not_found`, `conflict` while runs are at work in it.
 */
export async function removeRepo(
  db: Db,
  { organizationId, repoId, takesRuns = false, admin }: RemoveRepo,
): Promise<void> {
  const repo = await getRepo(db, { organizationId, repoId })
  await db.query('update repos set archived = true where organization_id = $1 and id = $2', [organizationId, repoId])
  await inTransaction(db, async (tx) => {
    // Whoever is about to start a run in it comes first, and is seen.
    await tx.query('select from repos where organization_id = $1 and id = $2 for update', [organizationId, repoId])
    await requireIdle(tx, { organizationId, repoId })
    // No repository has such a name, so this one is free again.
    await tx.query(
      `update repos set removed_at = now(), empty_at = now(), takes_runs = $3, name = '~' || id, integration_id = null, host_repo_id = null
       where organization_id = $1 and id = $2 and removed_at is null`,
      [organizationId, repoId, takesRuns],
    )
    await forgetGitBytes(tx, { organizationId, repoId })
    for (const table of ['secrets', 'deploy_keys'])
      await tx.query(`delete from ${table} where organization_id = $1 and repo_id = $2`, [organizationId, repoId])
  })
  // What cannot be removed now is removed with the rest.
  await admin.removeRepository(repo).catch(() => {})
}

/** Archived, it takes no new runs. */
async function requireIdle(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<void> {
  const { count } = await one<{ count: number }>(
    db,
    `select count(*) as count from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where r.organization_id = $1 and r.repo_id = $2 and h.status not in ('completed', 'failed', 'cancelled')`,
    [organizationId, repoId],
  )
  if (count === 0) return
  const message = `${count} runs are at work in repository ${repoId}, which is archived now: cancel them first.`
  throw new AppError('conflict', { message })
}
