import { one, type Db } from '#db/pool.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import type { CheckPlace } from './check.ts'

/** Notifies those who wait for a commit's checks, in the transaction that changes them. */
export async function recordChecksChanged(tx: Db, { organizationId, repoId, commit }: CheckPlace): Promise<void> {
  const { at } = await one<{ at: Date }>(tx, 'select now() as at')
  const event = { type: 'checks_changed', commit, actor: null, at: at.toISOString() } as const
  await recordHostEvent(tx, { organizationId, repoId, event })
}
