import { subjectOf, type HostEvent } from '#base/host-event.ts'
import type { Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/runs/wake-workers.ts'

export type RecordHostEvent = { organizationId: number; repoId: number; event: HostEvent }

/** Hands on what has happened, in the transaction in which it does. */
export async function recordHostEvent(tx: Db, { organizationId, repoId, event }: RecordHostEvent): Promise<void> {
  await tx.query('insert into host_events (organization_id, repo_id, subject, event) values ($1, $2, $3, $4)', [
    organizationId,
    repoId,
    subjectOf(event),
    JSON.stringify(event),
  ])
  await wakeWorkers(tx, { hostWork: true })
}
