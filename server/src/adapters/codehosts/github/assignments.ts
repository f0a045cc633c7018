import type { Forge } from '#adapters/codehosts/forge.ts'
import type { HostNews } from '#adapters/codehosts/remote-host.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import type { GitHubClient, Reached } from './client.ts'
import { readActor, type User } from './read-actor.ts'
import { readPages } from './read-pages.ts'

/** Of an issue, as GitHub lists it; some have more. */
type IssueEvent = {
  event?: string | undefined
  created_at?: string | undefined
  actor?: User
  label?: { name?: string | null | undefined } | undefined
  assignee?: User
  assigner?: User
}

export function openAssignments(client: GitHubClient): Pick<Forge, 'findAssignment'> {
  return {
    findAssignment: async (ref, number, to) => {
      const { ask, owner, repo } = await client.reach(ref, { issues: 'read' })
      const { items } = await readPages((page) =>
        ask('GET /repos/{owner}/{repo}/issues/{issue_number}/events', { owner, repo, issue_number: number, ...page }),
      )
      // The oldest first: what was taken back since does not hold.
      let assignment: ReturnType<typeof readAssignment> = null
      for (const item of items as IssueEvent[]) {
        const isLabel = 'label' in to && item.label?.name === to.label
        const isAssignee = 'assigneeId' in to && readActor(item.assignee)?.hostUserId === to.assigneeId
        if (!isLabel && !isAssignee) continue
        if (item.event === 'unlabeled' || item.event === 'unassigned') assignment = null
        else assignment = readAssignment(item) ?? assignment
      }
      return assignment && { actor: assignment.actor, at: assignment.at }
    },
  }
}

/** Labels and assignments since then; of pull requests nobody acts on them. */
export async function listAssignments({ ask, owner, repo }: Reached, since: Date): Promise<HostNews[]> {
  const { items } = await readPages(async (page) => {
    const { data, headers } = await ask('GET /repos/{owner}/{repo}/issues/events', { owner, repo, ...page })
    // The newest first: what is older is on the pages behind.
    const isEnd = data.some(({ created_at: at }) => new Date(at) < since)
    return { data, headers: isEnd ? {} : headers }
  })
  return items.flatMap((item) => {
    const assignment = readAssignment(item)
    if (!assignment || !item.issue || item.issue.pull_request || new Date(assignment.at) < since) return []
    const { word, ...report } = assignment
    const { number } = item.issue
    const event = { type: 'issue', number, ...report } as HostEvent
    return [{ event, key: assignmentKey(number, { action: assignment.action, word, at: assignment.at }) }]
  })
}

/** Of a webhook too, which says when the issue was changed: mostly, but not always, that is the same. */
export function assignmentKey(
  number: number,
  { action, word, at }: { action: string; word: string; at: string },
): string {
  return `issue:${number}:${action}:${word}:${new Date(at).toISOString()}`
}

function readAssignment({ event, created_at: createdAt, actor, label, assignee, assigner }: IssueEvent) {
  if (createdAt === undefined) return null
  const at = new Date(createdAt).toISOString()
  if (event === 'labeled' && label?.name)
    return { action: 'labeled' as const, actor: readActor(actor), at, label: label.name, word: label.name }
  const to = readActor(assignee)
  // Whose event an assignment is, GitHub has told in two ways; who has assigned, in one.
  if (event === 'assigned' && to)
    return { action: 'assigned' as const, actor: readActor(assigner), at, assignee: to, word: to.hostUserId }
  return null
}
