import type { HostActor } from '#base/hosts/host-event.ts'
import type { Db } from '#db/pool.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { getHostActor } from '#domain/accounts/users/get-host-actor.ts'
import type { Issue } from './issue.ts'

type RecordIssueEvents = {
  /** Null: it is new. */
  before: Pick<Issue, 'state' | 'labels' | 'isAssignedToAgent'> | null
  issue: Issue
  /** Who did it. */
  userId: number
}

/** Tells whoever acts on issues what somebody has changed, in the transaction in which they do. */
export async function recordIssueEvents(tx: Db, { before, issue, userId }: RecordIssueEvents): Promise<void> {
  const { organizationId, repoId, number } = issue
  const happened = {
    type: 'issue',
    number,
    actor: await getHostActor(tx, { userId }),
    at: issue.updatedAt.toISOString(),
  } as const
  const record = (event: Parameters<typeof recordHostEvent>[1]['event']) =>
    recordHostEvent(tx, { organizationId, repoId, event })
  if (!before) await record({ ...happened, action: 'opened' })
  else if (before.state !== issue.state)
    await record({ ...happened, action: issue.state === 'open' ? 'reopened' : 'closed' })
  for (const label of issue.labels)
    if (!before?.labels.includes(label)) await record({ ...happened, action: 'labeled', label })
  if (issue.isAssignedToAgent && !before?.isAssignedToAgent)
    await record({ ...happened, action: 'assigned', assignee: await findAgent(tx, organizationId) })
}

async function findAgent(tx: Db, organizationId: number): Promise<HostActor> {
  const userId = await getAgentUser(tx, { organizationId })
  return (await getHostActor(tx, { userId })) as HostActor
}
