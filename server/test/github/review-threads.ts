import { authorize } from './authorize.ts'
import type { Call, Reply } from './route.ts'
import { nodeId } from './show.ts'
import { findRepository, type Comment, type Repository } from './world.ts'

type Fields = Record<string, unknown>

const threadId = (first: Comment) => nodeId('PullRequestReviewThread', first.id)

const firstOnes = (repository: Repository) =>
  repository.reviewComments.filter((comment) => comment.line && comment.line.replyTo === null)

/** The threads of a pull request, each with the comment that began it. */
export function listThreads({ world, by }: Call, variables: Fields): Reply {
  const { owner, repo, number, after } = variables
  const found = findRepository(world, String(owner), String(repo))
  if (!found)
    return { body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }] } }
  const { repository } = found
  authorize(by, repository, { needs: { pull_requests: 'read' } })
  const all = firstOnes(repository).filter((comment) => comment.number === Number(number))
  const from = after === null || after === undefined ? 0 : Number(after)
  const shown = all.slice(from, from + 100)
  const end = from + shown.length
  const nodes = shown.map((first) => ({
    id: threadId(first),
    isResolved: first.line?.isResolved ?? false,
    comments: { nodes: [{ databaseId: first.id }] },
  }))
  const pageInfo = { hasNextPage: end < all.length, endCursor: shown.length ? String(end) : null }
  return { body: { data: { repository: { pullRequest: { reviewThreads: { nodes, pageInfo } } } } } }
}

/** Several of them, each under a name of its own. An App needs to be able to write the code, too. */
export function resolveThreads({ world, by }: Call, { query, variables }: { query: string; variables: Fields }): Reply {
  const data: Fields = {}
  const errors: Fields[] = []
  for (const [, name = '', variable = ''] of query.matchAll(
    /(\w+): resolveReviewThread\(input: \{ threadId: \$(\w+) \}\)/g,
  )) {
    const id = variables[variable]
    const repository = world.repositories.find((each) => firstOnes(each).some((first) => threadId(first) === id))
    const first = repository && firstOnes(repository).find((each) => threadId(each) === id)
    data[name] = null
    if (!repository || !first?.line) {
      errors.push({
        type: 'NOT_FOUND',
        path: [name],
        message: `Could not resolve to a node with the global id of '${id}'.`,
      })
      continue
    }
    try {
      for (const needs of [{ pull_requests: 'write' }, { contents: 'write' }] as const)
        authorize(by, repository, { needs })
    } catch {
      errors.push({ type: 'FORBIDDEN', path: [name], message: 'Resource not accessible by integration' })
      continue
    }
    first.line.isResolved = true
    data[name] = { thread: { isResolved: true } }
  }
  return { body: { data, ...(errors.length && { errors }) } }
}
