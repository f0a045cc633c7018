import type { Db } from '#db/pool.ts'

/** Gives back what a repository took up that is gone. */
export async function forgetGitBytes(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<void> {
  await db.query('select forget_repo_storage($1, $2)', [organizationId, repoId])
}
