import { hideMarker } from '#base/text/hidden-marker.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import { codeHostLimits } from '#adapters/codehosts/limits.ts'
import { askGraphql } from './ask-graphql.ts'
import type { GitHubClient, Need, Reached } from './client.ts'
import { isOurs, linePrefix, listLineComments, readOnLine } from './comments.ts'
import { cutText, markerCharactersMax } from './cut-text.ts'

const writing: Need = { pull_requests: 'write' }
/** GitHub lets an App settle a thread only where it may write the code, too. */
const resolving: Need = { ...writing, contents: 'write' }

/** A thread is known by the comment that began it. */
export function openThreads(client: GitHubClient): Pick<Forge, 'replyInThread' | 'resolveThreads'> {
  return {
    replyInThread: async (ref, number, { threadId, marker, body }) => {
      const at = await client.reach(ref, writing)
      const { ask, owner, repo } = at
      const text = hideMarker(cutText(body, markerCharactersMax), marker)
      const known = (await listLineComments(at, number)).find((comment) => isOurs(at, comment, marker))
      if (known?.body === text) return readOnLine(known)
      const { data } = known
        ? await ask('PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}', {
            owner,
            repo,
            comment_id: Number(known.id),
            body: text,
          })
        : await ask('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies', {
            owner,
            repo,
            pull_number: number,
            comment_id: numberOf(threadId),
            body: text,
          })
      return readOnLine(data)
    },
    resolveThreads: async (ref, number, threadIds) => {
      if (!threadIds.length) return
      const at = await client.reach(ref, resolving)
      const numbers = new Set(threadIds.map(numberOf))
      const open = (await listThreads(at, number)).filter(
        ({ isResolved, comments }) => !isResolved && comments.nodes.some(({ databaseId }) => numbers.has(databaseId)),
      )
      for (let from = 0; from < open.length; from += resolvedAtOnce)
        await resolve(
          at,
          open.slice(from, from + resolvedAtOnce).map(({ id }) => id),
        )
    },
  }
}

const numberOf = (threadId: string) => Number(threadId.slice(linePrefix.length))

type Thread = { id: string; isResolved: boolean; comments: { nodes: { databaseId: number }[] } }
type Threads = { nodes: Thread[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

const threads = `query($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      nodes { id isResolved comments(first: 1) { nodes { databaseId } } } pageInfo { hasNextPage endCursor } } } } }`

/** Only GraphQL knows which are settled. */
async function listThreads(at: Reached, number: number): Promise<Thread[]> {
  const found: Thread[] = []
  let after: string | null = null
  for (let page = 1; page <= codeHostLimits.hostPagesMax; page++) {
    const variables = { owner: at.owner, repo: at.repo, number, after }
    const { repository } = (await askGraphql(at, { query: threads, variables })) as {
      repository: { pullRequest: { reviewThreads: Threads } | null } | null
    }
    const { nodes, pageInfo } = repository?.pullRequest?.reviewThreads ?? nothing
    found.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  return found
}

const nothing: Threads = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }

const resolvedAtOnce = 20

/** Several in one request, as GitHub wants a pause between two that write. */
async function resolve(at: Reached, ids: readonly string[]): Promise<void> {
  const names = ids.map((_, index) => `t${index}`)
  const query = `mutation(${names.map((name) => `$${name}: ID!`).join(', ')}) {
  ${names.map((name) => `${name}: resolveReviewThread(input: { threadId: $${name} }) { thread { isResolved } }`).join('\n  ')}
}`
  const variables = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? '']))
  await askGraphql(at, { query, variables })
}
