import type { HostEvent } from '#base/hosts/host-event.ts'
import type { Db } from '#db/pool.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import type { Pull } from './pull.ts'

type PullAction = Extract<HostEvent, { type: 'pull' }>['action']

/** Tells whoever acts on pull requests, in the transaction in which one of the built-in host changes. */
export async function recordPullEvent(
  tx: Db,
  { organizationId, repoId, number, updatedAt }: Pick<Pull, 'organizationId' | 'repoId' | 'number' | 'updatedAt'>,
  action: PullAction,
): Promise<void> {
  const event = { type: 'pull', action, number, actor: null, at: updatedAt.toISOString() } as const
  await recordHostEvent(tx, { organizationId, repoId, event })
}
