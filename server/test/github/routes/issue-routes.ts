import { accountOf } from '#test/github/authorize.ts'
import { GitHubError, notFound } from '#test/github/github-error.ts'
import { needText, page, since, textOf, textsOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import { showAccount, showComment, showIssue, showLabel } from '#test/github/show.ts'
import {
  atLeast,
  findAccount,
  nextId,
  roleOf,
  type Account,
  type Comment,
  type Issue,
  type IssueEvent,
} from '#test/github/world.ts'
import { findComment } from './review-routes.ts'

const at = '/repos/{owner}/{repo}/issues'
const either = { issues: 'write' as const, pull_requests: 'write' as const }
const talk = { needs: either, isForReaders: true }
const read = { needs: { issues: 'read' as const, pull_requests: 'read' as const } }

export const issueRoutes: Route[] = [
  { at: `GET ${at}`, ...read, answer: listIssues },
  { at: `POST ${at}`, needs: { issues: 'write' }, isForReaders: true, answer: openIssue },
  { at: `GET ${at}/comments`, ...read, answer: listAllComments },
  { at: `GET ${at}/events`, ...read, answer: listAllEvents },
  { at: `GET ${at}/{number}/events`, ...read, answer: listEvents },
  { at: `GET ${at}/comments/{id}`, ...read, answer: getComment },
  { at: `PATCH ${at}/comments/{id}`, ...talk, answer: updateComment },
  { at: `DELETE ${at}/comments/{id}`, ...talk, answer: deleteComment },
  { at: `POST ${at}/comments/{id}/reactions`, ...talk, answer: (call) => react(call, call.repository.comments) },
  {
    at: 'POST /repos/{owner}/{repo}/pulls/comments/{id}/reactions',
    ...talk,
    answer: (call) => react(call, call.repository.reviewComments),
  },
  { at: `GET ${at}/{number}`, ...read, answer: getIssue },
  { at: `PATCH ${at}/{number}`, ...talk, answer: updateIssue },
  { at: `GET ${at}/{number}/comments`, ...read, answer: listComments },
  { at: `POST ${at}/{number}/comments`, ...talk, answer: createComment },
  { at: `POST ${at}/{number}/reactions`, ...talk, answer: (call) => react(call, null) },
  { at: `GET ${at}/{number}/labels`, ...read, answer: (call) => ({ body: findIssue(call).labels.map(showLabel) }) },
  { at: `POST ${at}/{number}/labels`, needs: either, answer: addLabels },
  { at: `DELETE ${at}/{number}/labels/{name}`, needs: either, answer: removeLabel },
  { at: `POST ${at}/{number}/assignees`, needs: either, answer: addAssignees },
]

function findIssue({ repository, params }: Call): Issue {
  const issue = repository.issues.get(Number(params['number']))
  if (!issue) throw notFound()
  return issue
}

function listIssues(call: Call): Reply {
  const { world, repository, url } = call
  const state = url.searchParams.get('state') ?? 'open'
  const found = since(call, [...repository.issues.values()]).filter((issue) => state === 'all' || issue.state === state)
  return page(
    call,
    found.toReversed().map((issue) => showIssue(world, repository, issue)),
  )
}

function openIssue(call: Call): Reply {
  const { world, repository } = call
  const author = accountOf(call.by)
  const [title, body] = [needText(call, 'title'), textOf(call, 'body')]
  const now = new Date()
  const mayLabel = atLeast(roleOf(repository, author), 'triage') || author.type === 'Bot'
  const issue: Issue = {
    id: nextId(world),
    number: ++repository.numbers,
    title,
    body,
    state: 'open',
    author,
    // Passed over in silence of those who may not.
    labels: mayLabel ? textsOf(call, 'labels') : [],
    assignees: mayLabel ? textsOf(call, 'assignees').map((login) => findAccount(world, login)) : [],
    pull: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  }
  repository.issues.set(issue.number, issue)
  tellIssue(call, issue, 'opened')
  for (const label of issue.labels) tellChange(call, issue, { event: 'labeled', label })
  for (const assignee of issue.assignees) tellChange(call, issue, { event: 'assigned', assignee })
  return { status: 201, body: showIssue(world, repository, issue) }
}

function tellIssue({ world, repository, by }: Call, issue: Issue, action: string, more: Record<string, unknown> = {}) {
  const shown = { [issue.pull ? 'pull_request' : 'issue']: showIssue(world, repository, issue) }
  const payload = { ...(issue.pull && { number: issue.number }), ...shown, ...more }
  world.tell({ event: issue.pull ? 'pull_request' : 'issues', action, repository, by: accountOf(by), payload })
}

type Change = { event: string; label?: string; assignee?: Account }

/** Keeps it, too, as GitHub does. */
function tellChange(call: Call, issue: Issue, { event, label, assignee }: Change): void {
  const { world, repository, by } = call
  const at = (issue.updatedAt = new Date())
  const kept = {
    id: nextId(world),
    issue,
    event,
    by: accountOf(by),
    label: label ?? null,
    assignee: assignee ?? null,
    at,
  }
  repository.issueEvents.push(kept)
  tellIssue(call, issue, event, {
    ...(label !== undefined && { label: showLabel(label) }),
    ...(assignee && { assignee: showAccount(world, assignee) }),
  })
}

/** Of one issue, the oldest first. */
function listEvents(call: Call): Reply {
  const issue = findIssue(call)
  return page(
    call,
    call.repository.issueEvents.filter((each) => each.issue === issue).map((each) => showEvent(call, each)),
  )
}

/** The newest first, each with its issue. */
function listAllEvents(call: Call): Reply {
  const { world, repository } = call
  return page(
    call,
    repository.issueEvents
      .toReversed()
      .map((each) => ({ ...showEvent(call, each), issue: showIssue(world, repository, each.issue) })),
  )
}

/** An assignment is told as an event of whoever it is assigned to. */
function showEvent({ world }: Call, { id, event, by, label, assignee, at: time }: IssueEvent) {
  return {
    id,
    event,
    actor: showAccount(world, assignee ?? by),
    ...(label !== null && { label: { name: label, color: 'ededed' } }),
    ...(assignee && { assignee: showAccount(world, assignee), assigner: showAccount(world, by) }),
    commit_id: null,
    commit_url: null,
    created_at: time.toISOString(),
  }
}

function getIssue(call: Call): Reply {
  return { body: showIssue(call.world, call.repository, findIssue(call)) }
}

function updateIssue(call: Call): Reply {
  const { world, repository, body } = call
  const issue = findIssue(call)
  const by = accountOf(call.by)
  if (by !== issue.author && by.type !== 'Bot' && !atLeast(roleOf(repository, by), 'triage'))
    throw new GitHubError(403, 'Must have admin rights to Repository.')
  const { title, state } = body
  if (typeof title === 'string') issue.title = title
  if (body['body'] !== undefined) issue.body = textOf(call, 'body')
  issue.updatedAt = new Date()
  if (title !== undefined || body['body'] !== undefined) tellIssue(call, issue, 'edited', { changes: {} })
  if ((state === 'open' || state === 'closed') && state !== issue.state) {
    issue.state = state
    issue.closedAt = state === 'closed' ? new Date() : null
    tellIssue(call, issue, state === 'closed' ? 'closed' : 'reopened')
  }
  return { body: showIssue(world, repository, issue) }
}

function addLabels(call: Call): Reply {
  const issue = findIssue(call)
  for (const label of textsOf(call, 'labels').filter((each) => !issue.labels.includes(each))) {
    issue.labels.push(label)
    tellChange(call, issue, { event: 'labeled', label })
  }
  return { body: issue.labels.map(showLabel) }
}

function removeLabel(call: Call): Reply {
  const issue = findIssue(call)
  const name = call.params['name'] ?? ''
  if (!issue.labels.includes(name)) throw new GitHubError(404, 'Label does not exist')
  issue.labels = issue.labels.filter((label) => label !== name)
  tellChange(call, issue, { event: 'unlabeled', label: name })
  return { body: issue.labels.map(showLabel) }
}

function addAssignees(call: Call): Reply {
  const { world, repository } = call
  const issue = findIssue(call)
  const request = textsOf(call, 'assignees').map((login) => findAccount(world, login))
  for (const account of request.filter((each) => !issue.assignees.includes(each))) {
    issue.assignees.push(account)
    tellChange(call, issue, { event: 'assigned', assignee: account })
  }
  return { status: 201, body: showIssue(world, repository, issue) }
}

function listAllComments(call: Call): Reply {
  const { world, repository } = call
  return page(
    call,
    since(call, repository.comments).map((comment) => showComment(world, repository, comment)),
  )
}

function listComments(call: Call): Reply {
  const { world, repository } = call
  const { number } = findIssue(call)
  const of = since(call, repository.comments).filter((comment) => comment.number === number)
  return page(
    call,
    of.map((comment) => showComment(world, repository, comment)),
  )
}

function getComment({ world, repository, params }: Call): Reply {
  return { body: showComment(world, repository, findComment(repository.comments, params['id'])) }
}

function createComment(call: Call): Reply {
  const { world, repository } = call
  const issue = findIssue(call)
  const now = new Date()
  const body = needText(call, 'body', 'IssueComment')
  const author = accountOf(call.by)
  const { number } = issue
  const comment: Comment = {
    id: nextId(world),
    number,
    body,
    author,
    createdAt: now,
    updatedAt: now,
    reactions: [],
    line: null,
  }
  repository.comments.push(comment)
  issue.updatedAt = now
  tellComment(call, issue, { comment, action: 'created' })
  return { status: 201, body: showComment(world, repository, comment) }
}

function tellComment(
  { world, repository, by }: Call,
  issue: Issue,
  { comment, action, ...more }: { comment: Comment; action: string; changes?: object },
): void {
  const shown = { issue: showIssue(world, repository, issue), comment: showComment(world, repository, comment) }
  const payload = { ...shown, ...more }
  world.tell({ event: 'issue_comment', action, repository, by: accountOf(by), payload })
}

function updateComment(call: Call): Reply {
  const { world, repository } = call
  const comment = ownComment(call)
  const from = comment.body
  comment.body = needText(call, 'body', 'IssueComment')
  comment.updatedAt = new Date()
  const issue = repository.issues.get(comment.number)
  if (issue) tellComment(call, issue, { comment, action: 'edited', changes: { body: { from } } })
  return { body: showComment(world, repository, comment) }
}

function deleteComment(call: Call): Reply {
  const { repository } = call
  const comment = ownComment(call)
  repository.comments.splice(repository.comments.indexOf(comment), 1)
  const issue = repository.issues.get(comment.number)
  if (issue) tellComment(call, issue, { comment, action: 'deleted' })
  return { status: 204 }
}

/** Whoever may write there may change what others have said. */
function ownComment({ repository, params, by }: Call): Comment {
  const comment = findComment(repository.comments, params['id'])
  const account: Account = accountOf(by)
  const isTheirs = comment.author === account
  if (!isTheirs && !atLeast(roleOf(repository, account), 'write'))
    throw new GitHubError(
      403,
      account.type === 'Bot' ? 'Resource not accessible by integration' : 'Must have admin rights to Repository.',
    )
  return comment
}

const contents = new Set(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'])

function react(call: Call, comments: Comment[] | null): Reply {
  const { world, params } = call
  const content = needText(call, 'content', 'Reaction')
  if (!contents.has(content)) throw new GitHubError(422, 'Validation Failed')
  const by = accountOf(call.by)
  const show = (id: number) => ({ id, content, user: showAccount(world, by), created_at: new Date().toISOString() })
  if (!comments) {
    findIssue(call)
    return { status: 201, body: show(nextId(world)) }
  }
  const { reactions } = findComment(comments, params['id'])
  const known = reactions.find((each) => each.by === by && each.content === content)
  if (known) return { status: 200, body: show(known.id) }
  const made = { id: nextId(world), by, content }
  reactions.push(made)
  return { status: 201, body: show(made.id) }
}
