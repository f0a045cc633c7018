import type { App } from '#app.ts'
import { storageLimits } from '#base/storage-limits.ts'
import { claimLook } from '#domain/storage/claim-look.ts'
import { correctGitBytes } from '#domain/storage/correct-git-bytes.ts'

type CollectingApp = Pick<App, 'pool' | 'host' | 'config' | 'logger'>

let underWay: Promise<void> | undefined

/**
 * Looks at repositories in which something has come in, one at a time in each process: collects what is dead there, and counts
 * what they take up. It may take minutes, so nobody waits for it.
 */
export function beginCollecting(app: CollectingApp): void {
  // Repositories behind another machine are that machine's.
  if (app.config.gitUrl) return
  underWay ??= collectRepositories(app)
    .catch((error: unknown) => app.logger.warn({ err: error }, 'could not examine a repository'))
    .finally(() => (underWay = undefined))
}

/** Those that are due. One that fails is looked at again later. */
export async function collectRepositories(
  { pool, host }: Pick<CollectingApp, 'pool' | 'host'>,
  options: { keptMs?: number; deadBytesMin?: number } = {},
): Promise<void> {
  for (let due = await claimLook(pool); due; due = await claimLook(pool)) {
    const { organizationId, repoId, path, keep } = due
    try {
      const { bytes, hasDead } = await host.collect({ organizationId, path }, { keep, ...options })
      const againMs = hasDead ? storageLimits.lookAgainMs : null
      await correctGitBytes(pool, { organizationId, repoId, bytes, againMs })
    } catch (error) {
      await lookAgain(pool, due)
      throw error
    }
  }
}

async function lookAgain(
  pool: App['pool'],
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<void> {
  await pool.query(
    `update storage set look_at = now() + $3 * interval '1 millisecond' where organization_id = $1 and scope = 'repo' and id = $2`,
    [organizationId, repoId, storageLimits.lookAgainMs],
  )
}
