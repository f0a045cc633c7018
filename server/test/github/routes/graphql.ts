import { accountOf, authorize } from '#test/github/authorize.ts'
import { pullsOf, tellPull } from '#test/github/pulls.ts'
import { GitHubError } from '#test/github/github-error.ts'
import { textOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import { nodeId } from '#test/github/show.ts'

/** Not a GraphQL server: the two mutations of drafts, and who one is. */
export const graphqlRoutes: Route[] = [{ at: 'POST /graphql', answer }]

async function answer(call: Call): Promise<Reply> {
  const query = textOf(call, 'query') ?? ''
  const variables = (call.body['variables'] ?? {}) as Record<string, unknown>
  const mutation = /\b(markPullRequestReadyForReview|convertPullRequestToDraft)\b/.exec(query)?.[1]
  if (mutation) return setDraft(call, { mutation, id: idIn(query, variables) })
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

async function setDraft({ world, by }: Call, { mutation, id }: { mutation: string; id: string }): Promise<Reply> {
  const fail = (type: string, message: string): Reply => ({
    body: { data: { [mutation]: null }, errors: [{ type, path: [mutation], message }] },
  })
  for (const repository of world.repositories) {
    const issue = pullsOf(repository).find((each) => nodeId('PullRequest', each.pull.id) === id)
    if (!issue) continue
    try {
      authorize(by, repository, { needs: { pull_requests: 'write' } })
    } catch (error) {
      if (error instanceof GitHubError && error.status !== 404) return fail('FORBIDDEN', error.message)
      break
    }
    const draft = mutation === 'convertPullRequestToDraft'
    if (issue.state === 'closed') return fail('UNPROCESSABLE', 'Pull request is closed')
    if (issue.pull.draft !== draft) {
      issue.pull.draft = draft
      issue.updatedAt = new Date()
      const action = draft ? 'converted_to_draft' : 'ready_for_review'
      await tellPull(world, repository, issue, { action, by: accountOf(by) })
    }
    const { number } = issue
    return { body: { data: { [mutation]: { clientMutationId: null, pullRequest: { id, number, isDraft: draft } } } } }
  }
  return fail('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`)
}
