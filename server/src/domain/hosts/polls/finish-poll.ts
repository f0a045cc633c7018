import type { HostEvent } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import type { HostPoll } from './claim-poll.ts'

export type FinishPoll = { poll: HostPoll; news: readonly { event: HostEvent; key: string }[] }

/**
 * Hands on what a look has found that nobody had told; the less there is, the later the next look. Answers how much it is:
 * nothing where somebody else is looking by now.
 */
export async function finishPoll(db: Db, { poll, news }: FinishPoll): Promise<number> {
  const { organizationId, repoId, claimId } = poll
  return inTransaction(db, async (tx) => {
    const held = await maybeOne(
      tx,
      'select from host_polls where organization_id = $1 and repo_id = $2 and claim_id = $3 for update',
      [organizationId, repoId, claimId],
    )
    if (!held) return 0
    let found = 0
    for (const { event, key } of news) if (await recordHostEvent(tx, { organizationId, repoId, event, key })) found++
    const idle = found ? 0 : poll.idle + 1
    const pauseMs = Math.min(hostLimits.hostPollMs * 2 ** Math.min(idle, 20), hostLimits.hostPollMsMax)
    await tx.query(
      `update host_polls set seen_at = $3, idle = $4, due_at = now() + $5 * interval '1 millisecond', claim_id = null,
         claimed_until = null, problem = null where organization_id = $1 and repo_id = $2`,
      [organizationId, repoId, poll.now, idle, pauseMs],
    )
    return found
  })
}
