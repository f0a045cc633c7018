import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { claimPoll } from '#domain/hosts/polls/claim-poll.ts'
import { finishPoll } from '#domain/hosts/polls/finish-poll.ts'
import { releasePoll } from '#domain/hosts/polls/release-poll.ts'

/**
 * Looks at one repository for what its host's webhooks did not tell, where they did not arrive or cannot. What was told
 * before is found under the same keys, and happens once. Answers whether there may be another.
 */
export async function pollRepository(app: App): Promise<boolean> {
  const poll = await claimPoll(app.pool)
  if (!poll) return false
  const { organizationId, repoId, path, kind, seenAt } = poll
  try {
    const since = new Date(seenAt.getTime() - hostLimits.hostPollOverlapMs)
    const news = await app.remoteHosts[kind].listNews({ organizationId, path }, since)
    const found = await finishPoll(app.pool, { poll, news })
    if (found) app.logger.info({ organizationId, repoId, found }, 'a poll found an event that no webhook delivered')
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    await releasePoll(app.pool, { poll, problem: app.mask(error.message), retryAt: error.retryAt })
  }
  return true
}
