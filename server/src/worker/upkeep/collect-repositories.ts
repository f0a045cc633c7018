import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { oneAtATime } from '#base/concurrency/one-at-a-time.ts'
import { storageLimits } from '#base/storage-limits.ts'
import { mayCollect } from '#domain/accounts/storage/may-collect.ts'
import { claimLook, type DueRepo } from '#domain/accounts/storage/claim-look.ts'
import { correctGitBytes } from '#domain/accounts/storage/correct-git-bytes.ts'
import { lookAgain } from '#domain/accounts/storage/look-again.ts'
import { lookAtMirrors } from '#domain/accounts/storage/look-at-mirrors.ts'

type CollectorApp = Pick<App, 'pool'> & { hosts: Pick<App['hosts'], 'admin'>; config: Pick<App['config'], 'gitUrl'> }
type CollectingApp = CollectorApp & Pick<App, 'logger'>

/**
 * Looks at repositories in which something has come in, one at a time in each process: collects what is dead there, and counts
 * what they take up. It may take minutes, so nobody waits for it.
 */
export const beginCollecting = oneAtATime((app: CollectingApp) =>
  begin(app).catch((error: unknown) => app.logger.warn({ err: error }, 'could not examine a repository')),
)

const begun = new WeakSet<App['pool']>()

async function begin(app: CollectingApp): Promise<void> {
  if (!begun.has(app.pool)) await lookAtMirrors(app.pool)
  begun.add(app.pool)
  await collectRepositories(app)
}

/** Those that are due. One that fails is looked at again later. */
export async function collectRepositories(
  { pool, hosts, config }: CollectorApp,
  options: { keptMs?: number; deadBytesMin?: number } = {},
): Promise<void> {
  // Repositories behind another machine are that machine's; mirrors of others are here.
  const which = { mirrorsAlone: config.gitUrl !== null }
  for (let due = await claimLook(pool, which); due; due = await claimLook(pool, which)) {
    const { organizationId, repoId, path, keep } = due
    try {
      const collected = await hosts.admin.collect(
        { organizationId, path },
        { keep, mayCollect: () => mayCollect(pool), ...options },
      )
      if (!collected) {
        await lookAgain(pool, { ...due, inMs: storageLimits.lookMs })
        continue
      }
      const againMs = collected.hasDead ? storageLimits.lookAgainMs : null
      await correctGitBytes(pool, { organizationId, repoId, bytes: collected.bytes, againMs })
    } catch (error) {
      if (isNotHere(error, due)) {
        // Another machine may have it.
        if (due.bytes > 0) await lookAgain(pool, { ...due, inMs: storageLimits.lookMs })
        continue
      }
      await lookAgain(pool, { ...due, inMs: storageLimits.lookAgainMs })
      throw error
    }
  }
}

const isNotHere = (error: unknown, { host }: DueRepo) =>
  host !== 'local' && error instanceof HostError && error.code === 'not_found'
