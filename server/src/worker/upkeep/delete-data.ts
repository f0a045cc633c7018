import type { App } from '#app/app.ts'
import { oneAtATime } from '#base/concurrency/one-at-a-time.ts'
import { applyRetention } from '#domain/runs/deletions/apply-retention.ts'
import { emptyDeletions } from '#domain/runs/deletions/empty-deletions.ts'

type DeletingApp = Pick<App, 'pool' | 'telemetry'> & {
  config: Pick<App['config'], 'gitUrl'>
  hosts: Pick<App['hosts'], 'admin'>
}

/** Deletes what is kept no longer and what was deleted, for a while. Removing repositories may take longer, so nobody waits for it. */
export const beginDeleting = oneAtATime(deleteData)

/** Never rejects. */
export async function deleteData({ pool, telemetry, config, hosts }: DeletingApp): Promise<void> {
  await telemetry.chores.do('retention', () => applyRetention(pool))
  // Repositories behind another machine are that machine's.
  if (config.gitUrl !== null) return
  await telemetry.chores.do('deletions', () =>
    emptyDeletions(pool, {
      repositories: hosts.admin,
      onDeleted: (part, runs) => telemetry.metrics.deletions.inc({ kind: part }, runs),
    }),
  )
}
