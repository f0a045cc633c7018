import { subjectOf, type HostEvent } from '#base/hosts/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'

export type RecordHostEvent = {
  organizationId: number
  repoId: number
  event: HostEvent
  /** What is recorded again under the same key of a repository is the same thing, and recorded once. */
  key?: string | null
}

/** Hands on what has happened, in the transaction in which it does. Answers whether nobody had told it yet. */
export async function recordHostEvent(
  tx: Db,
  { organizationId, repoId, event, key = null }: RecordHostEvent,
): Promise<boolean> {
  const subject = subjectOf(event)
  const made = await maybeOne<{ id: number }>(
    tx,
    `insert into host_events (organization_id, repo_id, subject, event, key) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, repo_id, key) where key is not null do nothing returning id`,
    [organizationId, repoId, subject, JSON.stringify(event), key],
  )
  if (!made) return false
  await requestJob(tx, { organizationId, kind: 'host_event', ref: made.id, key: `${repoId} ${subject}` })
  return true
}
