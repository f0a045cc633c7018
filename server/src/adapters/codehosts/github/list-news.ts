import type { HostEvent, HostSubject } from '#base/hosts/host-event.ts'
import type { HostNews, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import type { GitHubClient, Need, Reached } from './client.ts'
import { listAssignments } from './assignments.ts'
import { readActor, type User } from './read-actor.ts'
import { readPages } from './read-pages.ts'
import { readReviews } from './read-reviews.ts'

const reading: Need = { issues: 'read', pull_requests: 'read' }

/** What webhooks would have told, under the same keys, as far as it can still be seen. Of pushes and checks nothing can. */
export function openNews(client: GitHubClient): Pick<RemoteHost, 'listNews'> {
  return {
    listNews: async (ref, since) => {
      const at = await client.reach(ref, reading)
      const lists = await Promise.all([listComments(at, since), listIssues(at, since), listPulls(at, since)])
      return lists.flat().toSorted((a, b) => a.event.at.localeCompare(b.event.at))
    },
  }
}

async function listComments({ ask, owner, repo }: Reached, since: Date): Promise<HostNews[]> {
  const { items } = await readPages((page) =>
    ask('GET /repos/{owner}/{repo}/issues/comments', { owner, repo, since: since.toISOString(), ...page }),
  )
  return items.flatMap((comment) => {
    const kind = comment.html_url.includes('/pull/') ? 'pull' : 'issue'
    return commentOn({ kind, number: numberIn(comment.issue_url) }, 'issue_comment', comment, since)
  })
}

/** `reviews`: those that were submitted since; what they say of lines may have been written long before. */
async function listLineComments(
  { ask, owner, repo }: Reached,
  { since, reviews }: { since: Date; reviews: ReadonlySet<number> },
): Promise<HostNews[]> {
  const { items } = await readPages((page) =>
    ask('GET /repos/{owner}/{repo}/pulls/comments', { owner, repo, since: since.toISOString(), ...page }),
  )
  return items.flatMap((comment) => {
    const on = { kind: 'pull', number: numberIn(comment.pull_request_url) } as const
    const isNew = reviews.has(Number(comment.pull_request_review_id))
    return commentOn(on, 'review_comment', comment, isNew ? new Date(0) : since)
  })
}

type Comment = { id: number | bigint; body?: string | undefined; html_url: string; user: User; created_at: string }

/** One that was only changed since then is no news: nobody says who did that. */
function commentOn(on: HostSubject, kind: string, comment: Comment, since: Date): HostNews[] {
  if (new Date(comment.created_at) < since) return []
  const id = `${kind}:${comment.id}`
  const content = { id, body: comment.body ?? '', url: comment.html_url }
  const event = {
    type: 'comment',
    on,
    comment: content,
    actor: readActor(comment.user),
    at: comment.created_at,
  } as const
  return [{ event, key: `comment:${id}` }]
}

/** Issues and pull requests that were opened or closed, and labels and assignments of issues. */
async function listIssues(at: Reached, since: Date): Promise<HostNews[]> {
  const { ask, owner, repo } = at
  const { items } = await readPages((page) =>
    ask('GET /repos/{owner}/{repo}/issues', { owner, repo, state: 'all', since: since.toISOString(), ...page }),
  )
  const news = items.flatMap(({ number, pull_request: pull, user, created_at: openedAt, closed_at: closedAt }) => {
    const type = pull ? 'pull' : 'issue'
    const isSince = (at: string | null): at is string => at !== null && new Date(at) >= since
    const found: HostNews[] = []
    const opened = { type, action: 'opened', number, actor: readActor(user), at: openedAt } as HostEvent
    if (isSince(openedAt)) found.push({ event: opened, key: `${type}:${number}:opened` })
    const closed = { type, action: 'closed', number, actor: null, at: closedAt } as HostEvent
    if (isSince(closedAt)) found.push({ event: closed, key: closedKey(type, number, closedAt) })
    return found
  })
  // Each of those changes its issue, too: where there is none, the long list of them need not be read.
  const isChanged = items.some(({ pull_request: pull }) => !pull)
  return isChanged ? [...news, ...(await listAssignments(at, since))] : news
}

/** Of a webhook too, whose payload says when it was. */
export function closedKey(type: 'issue' | 'pull', number: number, closedAt: string): string {
  return `${type}:${number}:closed:${new Date(closedAt).toISOString()}`
}

/** What has come to pull requests: commits, reviews, and comments on lines. */
async function listPulls(at: Reached, since: Date): Promise<HostNews[]> {
  const changed = await listChanged(at, since)
  const reviews = (await Promise.all(changed.map(({ number }) => listReviews(at, number, since)))).flat()
  const heads = changed.map(({ number, head, updated_at: updatedAt }): HostNews => {
    // One that is known to be there is no news to anybody.
    const event = { type: 'pull', action: 'head_changed', number, actor: null, at: updatedAt } as const
    return { event, key: `pull:${number}:head:${head.sha}` }
  })
  const onLines = await listLineComments(at, { since, reviews: new Set(reviews.map(({ id }) => id)) })
  return [...heads, ...reviews.flatMap(({ news }) => news), ...onLines]
}

async function listChanged({ ask, owner, repo }: Reached, since: Date) {
  const page = { state: 'open', sort: 'updated', direction: 'desc', per_page: 100 } as const
  const { data } = await ask('GET /repos/{owner}/{repo}/pulls', { owner, repo, ...page })
  return data.filter(({ updated_at: at }) => new Date(at) >= since)
}

async function listReviews(at: Reached, number: number, since: Date) {
  const reviews = await readReviews(at, number)
  return reviews.flatMap((review) => {
    const { id, state: word, body, html_url: url, user, submitted_at: submittedAt } = review
    if (!submittedAt || new Date(submittedAt) < since) return []
    const on = { kind: 'pull', number } as const
    const comments = body.trim() ? commentOn(on, 'review', { ...review, created_at: submittedAt }, since) : []
    const state = reviewStates.find((known) => known === word.toLowerCase())
    if (!state) return [{ id: Number(id), news: comments }]
    const key = `review:${id}`
    const event = {
      type: 'review',
      id: key,
      number,
      state,
      body,
      url,
      actor: readActor(user),
      at: submittedAt,
    } as const
    return [{ id: Number(id), news: [{ event, key }, ...comments] }]
  })
}

export const reviewStates = ['approved', 'changes_requested', 'commented'] as const

function numberIn(url: string): number {
  return Number(url.slice(url.lastIndexOf('/') + 1))
}
