import { HostError } from '#adapters/codehosts/code-host.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { finishPoll } from '#domain/hosts/polls/finish-poll.ts'
import { getPoll } from '#domain/hosts/polls/get-poll.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import { pauseOf } from '#worker/jobs/pause-of.ts'

/**
 * Looks at one repository for what its host's webhooks did not deliver, or cannot. What was delivered is found under the same
 * keys, and happens once.
 */
export const pollRepository: JobHandler = async (app, job) => {
  const poll = await getPoll(app.pool, job)
  if (!poll) return
  const { organizationId } = job
  const { repoId, path, kind, seenAt } = poll
  try {
    const since = new Date(seenAt.getTime() - hostLimits.hostPollOverlapMs)
    const news = await app.remoteHosts[kind].listNews({ organizationId, path }, since)
    const { count, pauseMs } = await finishPoll(app.pool, { job, poll, found: { news } })
    if (count) app.logger.info({ organizationId, repoId, count }, 'a poll found an event that no webhook delivered')
    return { againInMs: pauseMs }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    const { pauseMs } = await finishPoll(app.pool, { job, poll, found: { problem: app.mask(error.message) } })
    return { againInMs: pauseOf(app, { pauseMs, error }) }
  }
}
