import type { Db } from '#db/pool.ts'
import { getRepo } from './get-repo.ts'
import { gitUrl } from '#domain/repos/repo.ts'
import { createGitToken } from '#domain/accounts/tokens/create-git-token.ts'
import type { GitAccess } from '#domain/accounts/tokens/git-access.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'

export type OpenReadingAccess = { organizationId: number; repoId: number }

/** Lets a worker read a repository for what is no run, such as a check. Throws `repo_not_found`. */
export async function openReadingAccess(
  db: Db,
  keys: TokenKeys,
  { organizationId, repoId }: OpenReadingAccess,
): Promise<GitAccess> {
  const repo = await getRepo(db, { organizationId, repoId })
  const secret = await createGitToken(db, keys, { organizationId, run: null, repoId, pushBranches: [] })
  return { path: gitUrl('', repo), secret }
}
