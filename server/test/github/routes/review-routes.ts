import { accountOf } from '#test/github/authorize.ts'
import { filesOf, findPull, showPull, type PullIssue } from '#test/github/pulls.ts'
import { GitHubError, invalid, notFound } from '#test/github/github-error.ts'
import { needText, page, since, textOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import { showComment, showReview } from '#test/github/show.ts'
import { nextId, type Account, type Comment, type Review } from '#test/github/world.ts'

const at = '/repos/{owner}/{repo}/pulls'
const write = { needs: { pull_requests: 'write' as const }, isForReaders: true }
const read = { needs: { pull_requests: 'read' as const } }

export const reviewRoutes: Route[] = [
  { at: `GET ${at}/comments`, ...read, answer: listAllComments },
  { at: `GET ${at}/comments/{id}`, ...read, answer: getComment },
  { at: `PATCH ${at}/comments/{id}`, ...write, answer: updateComment },
  { at: `GET ${at}/{number}/comments`, ...read, answer: listComments },
  { at: `POST ${at}/{number}/comments`, ...write, answer: createComment },
  { at: `POST ${at}/{number}/comments/{id}/replies`, ...write, answer: reply },
  { at: `GET ${at}/{number}/reviews`, ...read, answer: listReviews },
  { at: `POST ${at}/{number}/reviews`, ...write, answer: createReview },
]

function listAllComments(call: Call): Reply {
  const { world, repository } = call
  return page(
    call,
    since(call, repository.reviewComments).map((comment) => showComment(world, repository, comment)),
  )
}

function listComments(call: Call): Reply {
  const { world, repository } = call
  const { number } = findPull(repository, call.params['number'] ?? '')
  const of = since(call, repository.reviewComments).filter((comment) => comment.number === number)
  return page(
    call,
    of.map((comment) => showComment(world, repository, comment)),
  )
}

export function findComment(of: Comment[], id: string | undefined): Comment {
  const comment = of.find((each) => String(each.id) === id)
  if (!comment) throw notFound()
  return comment
}

function getComment({ world, repository, params }: Call): Reply {
  return { body: showComment(world, repository, findComment(repository.reviewComments, params['id'])) }
}

function updateComment(call: Call): Reply {
  const { world, repository, params } = call
  const comment = findComment(repository.reviewComments, params['id'])
  if (comment.author !== accountOf(call.by)) throw new GitHubError(403, 'Resource not accessible by integration')
  comment.body = needText(call, 'body', 'PullRequestReviewComment')
  comment.updatedAt = new Date()
  return { body: showComment(world, repository, comment) }
}

async function createComment(call: Call): Promise<Reply> {
  const { world, repository, params, body } = call
  const issue = findPull(repository, params['number'] ?? '')
  const text = needText(call, 'body', 'PullRequestReviewComment')
  if (body['in_reply_to']) return addReply(call, issue, Number(body['in_reply_to']), text)
  const line = await lineOf(issue, call, body)
  if (!line)
    throw invalid('PullRequestReviewComment', {
      field: 'line',
      message: 'pull_request_review_thread.line must be part of the diff',
    })
  const by = accountOf(call.by)
  const review = addReview(call, issue, { by, state: 'COMMENTED', body: '' })
  const comment = addComment(call, issue, { by, text, line: { ...line, reviewId: review.id } })
  await tellComment(call, issue, comment)
  return { status: 201, body: showComment(world, repository, comment) }
}

function reply(call: Call): Promise<Reply> {
  const issue = findPull(call.repository, call.params['number'] ?? '')
  return addReply(call, issue, Number(call.params['id']), needText(call, 'body', 'PullRequestReviewComment'))
}

async function addReply(call: Call, issue: PullIssue, to: number, text: string): Promise<Reply> {
  const first = findComment(call.repository.reviewComments, String(to))
  if (!first.line) throw notFound()
  const by = accountOf(call.by)
  const { id: reviewId } = addReview(call, issue, { by, state: 'COMMENTED', body: '' })
  const line = { ...first.line, reviewId, replyTo: first.line.replyTo ?? first.id }
  const comment = addComment(call, issue, { by, text, line })
  await tellComment(call, issue, comment)
  return { status: 201, body: showComment(call.world, call.repository, comment) }
}

function addComment(
  { world, repository }: Call,
  issue: PullIssue,
  { by, text, line }: { by: Account; text: string; line: NonNullable<Comment['line']> },
): Comment {
  const now = new Date()
  const comment = {
    id: nextId(world),
    number: issue.number,
    body: text,
    author: by,
    createdAt: now,
    updatedAt: now,
    reactions: [],
    line,
  }
  repository.reviewComments.push(comment)
  issue.updatedAt = now
  return comment
}

async function tellComment({ world, repository, by }: Call, issue: PullIssue, comment: Comment): Promise<void> {
  const pull_request = await showPull(world, repository, issue, 'listed')
  const payload = { comment: showComment(world, repository, comment), pull_request }
  world.tell({ event: 'pull_request_review_comment', action: 'created', repository, by: accountOf(by), payload })
}

function listReviews(call: Call): Reply {
  const { world, repository } = call
  const { number } = findPull(repository, call.params['number'] ?? '')
  const of = repository.reviews.filter((review) => review.number === number)
  return page(
    call,
    of.map((review) => showReview(world, repository, review)),
  )
}

const states = { COMMENT: 'COMMENTED', APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED' } as const

async function createReview(call: Call): Promise<Reply> {
  const { world, repository, params, body } = call
  const issue = findPull(repository, params['number'] ?? '')
  const by = accountOf(call.by)
  const event = (textOf(call, 'event') ?? 'COMMENT') as keyof typeof states
  const text = textOf(call, 'body') ?? ''
  const options = (body['comments'] ?? []) as { path?: unknown; body?: string }[]
  const refuse = (sentence: string) => new GitHubError(422, 'Unprocessable Entity', { errors: [sentence] })
  if (!states[event]) throw refuse('Variable $event of type PullRequestReviewEvent was provided invalid value')
  if (by === issue.author && event !== 'COMMENT')
    throw refuse(`Can not ${event === 'APPROVE' ? 'approve' : 'request changes on'} your own pull request`)
  if (event !== 'APPROVE' && !text && !options.length)
    throw refuse(`Body is required when submitting a review with ${event}`)
  const commit = textOf(call, 'commit_id') ?? issue.pull.head.sha
  const files = await filesOf(repository, issue.pull)
  for (const comment of options)
    if (!files.some((file) => file.filename === comment.path)) throw refuse('Path could not be resolved')
  const lines = await Promise.all(options.map((comment) => lineOf(issue, call, { commit_id: commit, ...comment })))
  if (lines.includes(null)) throw refuse('Line could not be resolved')
  const review = addReview(call, issue, { by, state: states[event], body: text, commit })
  const comments = lines.map((line, index) =>
    addComment(call, issue, {
      by,
      text: options[index]?.body ?? '',
      line: { ...line!, reviewId: review.id },
    }),
  )
  const pull_request = await showPull(world, repository, issue, 'listed')
  const shown = showReview(world, repository, review)
  // The payload says it in lower case, and the API in upper case.
  const payload = { review: { ...shown, state: review.state.toLowerCase() }, pull_request }
  world.tell({ event: 'pull_request_review', action: 'submitted', repository, by, payload })
  for (const comment of comments) await tellComment(call, issue, comment)
  return { body: shown }
}

function addReview(
  { world, repository }: Call,
  issue: PullIssue,
  {
    by,
    state,
    body,
    commit = issue.pull.head.sha,
  }: { by: Account; state: Review['state']; body: string; commit?: string },
): Review {
  const review = { id: nextId(world), number: issue.number, author: by, body, state, commit, submittedAt: new Date() }
  repository.reviews.push(review)
  return review
}

/** Where a comment stands; null on a line that the pull request does not show. */
async function lineOf(issue: PullIssue, { repository }: Call, options: Record<string, unknown>) {
  const { path, line, start_line: start = null, side = 'RIGHT', commit_id: commit = issue.pull.head.sha } = options
  const file = (await filesOf(repository, issue.pull)).find((each) => each.filename === path)
  if (!file?.patch || typeof line !== 'number' || (side !== 'LEFT' && side !== 'RIGHT')) return null
  const shown = linesOf(file.patch)[side]
  const hunk = shown.get(line)
  if (hunk === undefined) return null
  // Several lines are of one hunk, the first before the last.
  if (start !== null && (typeof start !== 'number' || start >= line || !shown.has(start))) return null
  const place = { path: String(path), line, startLine: start, side, hunk, commit: String(commit) } as const
  return { ...place, replyTo: null, isResolved: false }
}

/** The lines of each side, with the hunk up to there. */
function linesOf(patch: string): { LEFT: Map<number, string>; RIGHT: Map<number, string> } {
  const shown = { LEFT: new Map<number, string>(), RIGHT: new Map<number, string>() }
  let [left, right] = [0, 0]
  let text = ''
  for (const line of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line)
    text = hunk ? line : `${text}\n${line}`
    if (hunk) [left, right] = [Number(hunk[1]), Number(hunk[2])]
    else {
      if (line.startsWith('-') || line.startsWith(' ')) shown.LEFT.set(left++, text)
      if (line.startsWith('+') || line.startsWith(' ')) shown.RIGHT.set(right++, text)
    }
  }
  return shown
}
