import type { App } from '#app/app.ts'
import { oneAtATime } from '#base/concurrency/one-at-a-time.ts'
import type { DeletedKind } from '#base/deleted-part.ts'
import { emptyDeletions } from '#domain/runs/deletions/empty-deletions.ts'
import { emptyOrganizations } from '#domain/runs/deleted-organizations/empty-organizations.ts'
import { emptyRepos } from '#domain/runs/deletions/empty-repos.ts'

type DeletingApp = Pick<App, 'pool' | 'telemetry'> & {
  config: Pick<App['config'], 'gitUrl'>
  hosts: Pick<App['hosts'], 'admin'>
}

/** Empties what was deleted, for a while. Removing repositories may take longer, so nobody waits for it. */
export const beginDeleting = oneAtATime(deleteData)

/** Never rejects. */
export async function deleteData({ pool, telemetry, config, hosts }: DeletingApp): Promise<void> {
  // Repositories behind another machine are that machine's.
  if (config.gitUrl !== null) return
  const options = {
    repositories: hosts.admin,
    onDeleted: (kind: DeletedKind, count: number) => telemetry.metrics.deletions.inc({ kind }, count),
  }
  await telemetry.chores.do('deletions', () => emptyDeletions(pool, options))
  await telemetry.chores.do('removed_repos', () => emptyRepos(pool, options))
  await telemetry.chores.do('deleted_organizations', () => emptyOrganizations(pool, options))
}
