import type { Db } from '#db/pool.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { findHostPull } from './find-host-pull.ts'
import type { PullForge } from './pull-hosts.ts'
import type { Pull } from './pull.ts'
import { saveHostPull } from './save-host-pull.ts'

/** A pull request as it is at its host now; our row of it is brought up to date, or made. Throws `pull_not_found`. */
export async function renewPull(
  db: Db,
  { repo, number, forge }: { repo: Repo; number: number; forge: Pick<PullForge, 'getPull'> },
): Promise<Pull> {
  const { organizationId, id: repoId } = repo
  // What the built-in host knows is that row.
  if (repo.host === 'local') return findHostPull(db, { organizationId, repoId, number })
  return saveHostPull(db, { organizationId, repoId, pull: await forge.getPull(repo, number) })
}
