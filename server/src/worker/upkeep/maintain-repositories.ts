import type { App } from '#app/app.ts'
import { oneAtATime } from '#base/concurrency/one-at-a-time.ts'
import { readRepoPath } from '#base/repo-path.ts'
import { lookAgain } from '#domain/accounts/storage/look-again.ts'

type MaintainingApp = Pick<App, 'pool' | 'logger'> & { hosts: Pick<App['hosts'], 'admin'> }

/**
 * Puts the repositories of this machine in order that this process has used, one at a time. It may take minutes, so nobody waits for
 * it.
 */
export const beginMaintaining = oneAtATime((app: MaintainingApp) =>
  maintainRepositories(app).catch((error: unknown) =>
    app.logger.warn({ err: error }, 'could not put repositories in order'),
  ),
)

/** What they take up then is counted anew. */
export async function maintainRepositories({ pool, hosts, logger }: MaintainingApp): Promise<void> {
  const maintained = await hosts.admin.maintain({
    onFault: (error, { organizationId, path }) =>
      logger.warn(
        { event: 'repository_not_maintained', err: error, organizationId, path },
        'could not maintain a repository',
      ),
  })
  for (const { organizationId, path } of maintained) {
    const repoId = readRepoPath(path)?.repoId ?? null
    if (repoId !== null) await lookAgain(pool, { organizationId, repoId, inMs: 0 })
  }
}
