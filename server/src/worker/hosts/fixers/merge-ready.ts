import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import type { HeldFixer } from '#domain/hosts/fixers/begin-look.ts'
import { mergePull } from '#domain/hosts/pulls/merge-pull.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import type { Repo } from '#domain/repos/repo.ts'

export type MergeReady = { agent: HeldFixer; repo: Repo; number: number; head: string }

/**
 * Merges a pull request that is ready, where its repository wants that, nobody has taken over, and nobody wants it changed. What
 * its host does not allow yet, such as for want of a review, is tried again once something happens to it.
 */
export async function mergeReady(app: App, { agent, repo, number, head }: MergeReady): Promise<void> {
  const { mergeWhenGreen: method } = pullSettingsOf(repo)
  const { phase, suspended } = agent.state
  if (method === 'off' || suspended || phase === 'paused' || phase === 'gave_up') return
  const { organizationId, pullId, runId } = agent
  const merge = { organizationId, pullId, hosts: app.hosts, method, expectedHead: head, userId: null }
  if (await app.hosts.forge(repo).areChangesRequested(repo, number)) return
  try {
    await mergePull(app.pool, { ...merge, at: app.clock.now() })
  } catch (error) {
    const isRefused = error instanceof AppError || (error instanceof HostError && !error.isPassing)
    if (!isRefused) throw error
    app.logger.info({ err: error, runId }, 'a pull request that is ready was not merged')
  }
}
