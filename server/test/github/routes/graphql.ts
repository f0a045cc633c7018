import { accountOf, authorize } from '#test/github/authorize.ts'
import { pullsOf, tellPull, type PullIssue } from '#test/github/pulls.ts'
import { GitHubError } from '#test/github/github-error.ts'
import { textOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import { nodeId } from '#test/github/show.ts'
import { revertPull } from '#test/github/revert-pull.ts'
import { listThreads, resolveThreads } from '#test/github/review-threads.ts'
import { land } from './pull-routes.ts'
import { updateBranch } from './update-branch.ts'
import type { Repository } from '#test/github/world.ts'

/** Not a GraphQL server: the mutations of drafts, reverts, branches and queues, threads of reviews, and who one is. */
export const graphqlRoutes: Route[] = [{ at: 'POST /graphql', answer }]

async function answer(call: Call): Promise<Reply> {
  const query = textOf(call, 'query') ?? ''
  const variables = (call.body['variables'] ?? {}) as Record<string, unknown>
  const mutation =
    /\b(markPullRequestReadyForReview|convertPullRequestToDraft|revertPullRequest|updatePullRequestBranch|enqueuePullRequest)\b/.exec(
      query,
    )?.[1]
  if (mutation === 'revertPullRequest') return revert(call, { mutation, id: idIn(query, variables), variables })
  if (mutation === 'updatePullRequestBranch') return update(call, { mutation, id: idIn(query, variables), variables })
  if (mutation === 'enqueuePullRequest') return enqueue(call, { mutation, id: idIn(query, variables), variables })
  if (mutation) return setDraft(call, { mutation, id: idIn(query, variables) })
  if (query.includes('resolveReviewThread(')) return resolveThreads(call, { query, variables })
  if (/\breviewThreads\(/.test(query)) return listThreads(call, variables)
  if (/\bviewer\b/.test(query)) {
    const account = accountOf(call.by)
    return { body: { data: { viewer: { login: account.login, databaseId: account.id } } } }
  }
  return { body: { errors: [{ message: 'Parse error: this is asked by nobody here' }] } }
}

/** Written out, in a variable, or in a variable that holds the whole input. */
function idIn(query: string, variables: Record<string, unknown>): string {
  const [, literal, name] = /pullRequestId:\s*(?:"([^"]+)"|\$(\w+))/.exec(query) ?? []
  if (literal) return literal
  const whole = Object.values(variables).find((each) => typeof each === 'object' && each !== null)
  const id = name ? variables[name] : (whole as Record<string, unknown> | undefined)?.['pullRequestId']
  return typeof id === 'string' ? id : ''
}

type Found = { repository: Repository; issue: PullIssue }
type Mutation = { mutation: string; id: string }

const failing =
  (mutation: string) =>
  (type: string, message: string): Reply => ({
    body: { data: { [mutation]: null }, errors: [{ type, path: [mutation], message }] },
  })

/** The pull request of this id, where the caller may do this to it; else what is answered instead. */
function findPull({ world, by }: Call, { mutation, id }: Mutation, needs: NonNullable<Route['needs']>): Found | Reply {
  const fail = failing(mutation)
  for (const repository of world.repositories) {
    const issue = pullsOf(repository).find((each) => nodeId('PullRequest', each.pull.id) === id)
    if (!issue) continue
    try {
      // All of them.
      for (const [name, level] of Object.entries(needs)) authorize(by, repository, { needs: { [name]: level } })
    } catch (error) {
      if (error instanceof GitHubError && error.status !== 404) return fail('FORBIDDEN', error.message)
      break
    }
    return { repository, issue }
  }
  return fail('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`)
}

async function setDraft(call: Call, asked: Mutation): Promise<Reply> {
  const { world, by } = call
  const { mutation, id } = asked
  const found = findPull(call, asked, { pull_requests: 'write' })
  if (!('issue' in found)) return found
  const { repository, issue } = found
  const draft = mutation === 'convertPullRequestToDraft'
  if (issue.state === 'closed') return failing(mutation)('UNPROCESSABLE', 'Pull request is closed')
  if (issue.pull.draft !== draft) {
    issue.pull.draft = draft
    issue.updatedAt = new Date()
    const action = draft ? 'converted_to_draft' : 'ready_for_review'
    await tellPull(world, repository, issue, { action, by: accountOf(by) })
  }
  const { number } = issue
  return { body: { data: { [mutation]: { clientMutationId: null, pullRequest: { id, number, isDraft: draft } } } } }
}

const cannotRevert =
  "Sorry, this pull request couldn't be reverted automatically. It may have already been reverted, or the content may have changed since it was merged."

async function revert(
  call: Call,
  { variables, ...asked }: Mutation & { variables: Record<string, unknown> },
): Promise<Reply> {
  const { mutation, id } = asked
  const found = findPull(call, asked, { pull_requests: 'write', contents: 'write' })
  if (!('issue' in found)) return found
  const { repository, issue } = found
  const fail = failing(mutation)
  if (!issue.pull.mergedAt) return fail('UNPROCESSABLE', 'Pull request is not merged')
  const word = (name: string) => (typeof variables[name] === 'string' ? variables[name] : null)
  const words = { title: word('title'), body: word('body'), by: accountOf(call.by) }
  const opened = await revertPull(call.world, repository, issue, words)
  if (!opened) return fail('UNPROCESSABLE', cannotRevert)
  const { number } = opened
  const revertPullRequest = { id: nodeId('PullRequest', opened.pull.id), number }
  const pullRequest = { id, number: issue.number }
  return { body: { data: { [mutation]: { clientMutationId: null, pullRequest, revertPullRequest } } } }
}

type OfHead = Mutation & { variables: Record<string, unknown> }

/** Done behind the answer, as GitHub does it. */
async function update(call: Call, { variables, ...asked }: OfHead): Promise<Reply> {
  const found = await findHead(call, asked, variables)
  if (!('issue' in found)) return found
  const method = variables['method'] === 'REBASE' ? 'rebase' : 'merge'
  if (!(await updateBranch(call.world, found.repository, found.issue, { method, by: accountOf(call.by) })))
    return failing(asked.mutation)('UNPROCESSABLE', 'merge conflict between base and head')
  return { body: { data: { [asked.mutation]: { clientMutationId: null } } } }
}

/** The queue is empty, so that its turn comes at once. */
async function enqueue(call: Call, { variables, ...asked }: OfHead): Promise<Reply> {
  const found = await findHead(call, asked, variables)
  if (!('issue' in found)) return found
  const { repository, issue } = found
  const title = `Merge pull request #${issue.number}`
  const merge = { method: 'merge', title, message: issue.title, by: accountOf(call.by) }
  if (!(await land(call.world, repository, issue, merge)))
    return failing(asked.mutation)('UNPROCESSABLE', 'Pull request is in conflict')
  return { body: { data: { [asked.mutation]: { clientMutationId: null } } } }
}

async function findHead(call: Call, asked: Mutation, variables: Record<string, unknown>): Promise<Found | Reply> {
  const found = findPull(call, asked, { pull_requests: 'write', contents: 'write' })
  if ('issue' in found && found.issue.pull.head.sha !== variables['head'])
    return failing(asked.mutation)('UNPROCESSABLE', 'Head branch was modified. Review and try again.')
  return found
}
