import { HostError } from '#adapters/codehosts/code-host.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { finishPoll } from '#domain/hosts/polls/finish-poll.ts'
import { getPoll, type HostPoll } from '#domain/hosts/polls/get-poll.ts'
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
  const { repoId, path, kind } = poll
  try {
    const news = await app.remoteHosts[kind].listNews({ organizationId, path }, sinceOf(poll))
    const { count, pauseMs } = await finishPoll(app.pool, { job, poll, found: { news } })
    if (count) app.logger.info({ organizationId, repoId, count }, 'a poll found an event that no webhook delivered')
    return { againInMs: pauseMs }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    const { pauseMs } = await finishPoll(app.pool, { job, poll, found: { problem: app.mask(error.message) } })
    return { againInMs: pauseOf({ pauseMs, error }) }
  }
}

/**
 * Since when a look has to see all. It is the same for an hour, so that a host where nothing has changed is asked the same and
 * says so by an ETag, which costs nothing of what it allows; and it goes back by an hour at least, which says whether anything
 * has happened lately.
 */
function sinceOf({ seenAt, knownAt }: Pick<HostPoll, 'seenAt' | 'knownAt'>): Date {
  const { hostPollActiveMs: hourMs, hostPollOverlapMs: overlapMs } = hostLimits
  const earliest = seenAt.getTime() - overlapMs - hourMs
  return new Date(Math.max(earliest - (earliest % hourMs), knownAt.getTime() - overlapMs))
}
