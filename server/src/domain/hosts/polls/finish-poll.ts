import type { HostEvent } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { HostPoll } from './get-poll.ts'

export type FinishPoll = {
  job: ClaimedJob
  poll: HostPoll
  /** What was found; or why nothing could be, for people: then the next poll looks from the same moment on. */
  found: { news: readonly { event: HostEvent; key: string }[] } | { problem: string }
}

/**
 * Hands on what a poll has found and no webhook had delivered. Answers how much that is, and when to poll again: soon where
 * anything has happened lately and no webhooks arrive, else later and later. Throws `JobLost`.
 */
export async function finishPoll(
  db: Db,
  { job, poll, found }: FinishPoll,
): Promise<{ count: number; pauseMs: number }> {
  const { organizationId } = job
  const { repoId } = poll
  return inTransaction(db, async (tx) => {
    await holdJob(tx, job)
    const news = 'news' in found ? found.news : []
    let count = 0
    for (const { event, key } of news) if (await recordHostEvent(tx, { organizationId, repoId, event, key })) count++
    const isLately =
      !poll.hasWebhooks &&
      [poll.knownAt, ...news.map(({ event }) => new Date(event.at))].some(
        (at) => poll.now.getTime() - at.getTime() < hostLimits.hostPollActiveMs,
      )
    const idle = count || isLately ? 0 : poll.idle + 1
    await tx.query(
      'update host_polls set seen_at = $3, idle = $4, problem = $5 where organization_id = $1 and repo_id = $2',
      'problem' in found
        ? [organizationId, repoId, poll.seenAt, idle, found.problem]
        : [organizationId, repoId, poll.now, idle, null],
    )
    return { count, pauseMs: Math.min(hostLimits.hostPollMs * 2 ** Math.min(idle, 20), hostLimits.hostPollMsMax) }
  })
}
