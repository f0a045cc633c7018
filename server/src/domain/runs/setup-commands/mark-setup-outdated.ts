import { maybeOne, type Db } from '#db/pool.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { hashLockfiles, type FileStore } from './hash-lockfiles.ts'

export type MarkSetupOutdated = { repo: Repo; commit: string; store: FileStore<Repo> }

/**
 * Compares the files on which the accepted commands depend with those of a commit of the default branch, and keeps whether
 * they are others. Answers that; null where nothing is accepted.
 */
export async function markSetupOutdated(db: Db, { repo, commit, store }: MarkSetupOutdated): Promise<boolean | null> {
  const { organizationId, id: repoId } = repo
  const accepted = await maybeOne<{ n: number; lockfiles: Record<string, string> }>(
    db,
    `select n, lockfiles from setup_proposals where organization_id = $1 and repo_id = $2 and state = 'accepted'`,
    [organizationId, repoId],
  )
  if (!accepted) return null
  const now = await hashLockfiles({ store, repo, commit, paths: Object.keys(accepted.lockfiles) })
  const isOutdated = Object.entries(accepted.lockfiles).some(([path, hash]) => now[path] !== hash)
  await db.query(
    `update setup_proposals set outdated_at = case when $4 then coalesce(outdated_at, now()) end
     where organization_id = $1 and repo_id = $2 and n = $3`,
    [organizationId, repoId, accepted.n, isOutdated],
  )
  return isOutdated
}
