import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { requestSync } from '#domain/hosts/integrations/request-sync.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

/** What was read in one. */
export type DeliveredNews =
  | { about: 'repository'; hostRepoId: string; event: HostEvent; key: string | null }
  | { about: 'repositories' }

export type FinishDelivery = {
  job: ClaimedJob
  integrationId: number
  news: readonly DeliveredNews[]
  outcome: string | null
}

/** Hands on what a delivery reports of connected repositories, and forgets its bytes: all of it, once. Throws `JobLost`. */
export async function finishDelivery(db: Db, { job, integrationId, news, outcome }: FinishDelivery): Promise<void> {
  const { organizationId, ref } = job
  await inTransaction(db, async (tx) => {
    await holdJob(tx, job)
    await tx.query(
      'update webhook_deliveries set done_at = now(), body = null, outcome = $3 where organization_id = $1 and id = $2',
      [organizationId, ref, outcome],
    )
    if (news.some(({ about }) => about === 'repositories')) await requestSync(tx, { organizationId, integrationId })
    for (const item of news) {
      if (item.about !== 'repository') continue
      const repo = await maybeOne<{ id: number }>(
        tx,
        `select id from repos where organization_id = $1 and integration_id = $2 and host_repo_id = $3 and removed_at is null`,
        [organizationId, integrationId, item.hostRepoId],
      )
      if (repo) await recordHostEvent(tx, { organizationId, repoId: repo.id, event: item.event, key: item.key })
    }
  })
}
