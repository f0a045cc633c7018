import type { Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { SecretPlace } from './secret.ts'

/** Throws `repo_not_found` for a repository that the organization does not have. */
export async function requireRepo(db: Db, { organizationId, repoId }: SecretPlace): Promise<void> {
  if (repoId !== null) await getRepo(db, { organizationId, repoId })
}
