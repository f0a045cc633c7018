import { accountOf } from '#test/github/authorize.ts'
import {
  notifyMoves,
  filesOf,
  findPull,
  holdsBase,
  keepHead,
  makeMerge,
  pullsOf,
  readBranches,
  showPull,
  tellPull,
  type PullIssue,
} from '#test/github/pulls.ts'
import { GitHubError, invalid } from '#test/github/github-error.ts'
import { recordPull } from '#test/github/record-pull.ts'
import { needText, page, textOf, textsOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import {
  atLeast,
  branchCommit,
  findAccount,
  roleOf,
  type Account,
  type Repository,
  type World,
} from '#test/github/world.ts'

const at = '/repos/{owner}/{repo}/pulls'

export const pullRoutes: Route[] = [
  { at: `GET ${at}`, needs: { pull_requests: 'read' }, answer: listPulls },
  { at: `POST ${at}`, needs: { pull_requests: 'write' }, isForReaders: true, answer: openPull },
  { at: `GET ${at}/{number}`, needs: { pull_requests: 'read' }, answer: getPull },
  { at: `PATCH ${at}/{number}`, needs: { pull_requests: 'write' }, answer: updatePull },
  { at: `PUT ${at}/{number}/merge`, needs: { contents: 'write' }, answer: mergePull },
  { at: `GET ${at}/{number}/merge`, needs: { pull_requests: 'read' }, answer: isMerged },
  { at: `GET ${at}/{number}/files`, needs: { pull_requests: 'read' }, answer: listFiles },
  { at: `GET ${at}/{number}/commits`, needs: { pull_requests: 'read' }, answer: listCommits },
  {
    at: `POST ${at}/{number}/requested_reviewers`,
    needs: { pull_requests: 'write' },
    answer: requestReviewers,
  },
]

async function listPulls(call: Call): Promise<Reply> {
  const { world, repository, url } = call
  const query = (name: string) => url.searchParams.get(name)
  const state = query('state') ?? 'open'
  const [head, base] = [query('head'), query('base')]
  const found = pullsOf(repository).filter(
    (issue) =>
      (state === 'all' || issue.state === state) &&
      // Without an owner GitHub passes over it.
      (!head?.includes(':') || head === `${issue.pull.head.repository.owner.login}:${issue.pull.head.branch}`) &&
      (!base || base === issue.pull.base.branch),
  )
  const by = query('sort') === 'updated' ? 'updatedAt' : 'createdAt'
  found.sort((a, b) => Number(b[by]) - Number(a[by]) || b.number - a.number)
  if (query('direction') === 'asc') found.reverse()
  const shown = await Promise.all(found.map((issue) => showPull(world, repository, issue, 'listed')))
  return page(call, shown)
}

async function openPull(call: Call): Promise<Reply> {
  const { world, repository, body, by } = call
  const [title, base] = [needText(call, 'title', 'PullRequest'), needText(call, 'base', 'PullRequest')]
  const text = textOf(call, 'body', 'PullRequest')
  const head = await findHead(call, needText(call, 'head', 'PullRequest'))
  const onto = await branchCommit(repository, base)
  if (!onto) throw invalid('PullRequest', { field: 'base' })
  const label = `${head.repository.owner.login}:${head.branch}`
  const isSame = (issue: PullIssue) =>
    issue.pull.head.repository === head.repository &&
    issue.pull.head.branch === head.branch &&
    issue.pull.base.branch === base
  if (pullsOf(repository).some((issue) => issue.state === 'open' && isSame(issue)))
    throw invalid('PullRequest', `A pull request already exists for ${label}.`)
  const number = repository.numbers + 1
  await keepHead(repository, number, head.repository, head.sha)
  if ((await repository.git('rev-list', '--count', head.sha, `^${onto}`)) === '0')
    throw invalid(
      'PullRequest',
      `No commits between ${base} and ${head.repository === repository ? head.branch : label}`,
    )
  const issue = await recordPull(world, repository, {
    number,
    title,
    body: text,
    draft: body['draft'] === true,
    head,
    base: { branch: base, sha: onto },
    by: accountOf(by),
  })
  return { status: 201, body: await showPull(world, repository, issue, 'told') }
}

async function findHead(
  { world, repository }: Call,
  name: string,
): Promise<{ repository: Repository; branch: string; sha: string }> {
  const [owner, branch] = name.includes(':') ? (name.split(':', 2) as [string, string]) : [null, name]
  const forks = world.repositories.filter((each) => each.parent === repository || each === repository)
  const of = owner === null ? repository : forks.find((each) => each.owner.login === owner)
  const sha = of && (await branchCommit(of, branch))
  if (!of || !sha) throw invalid('PullRequest', { field: 'head' })
  return { repository: of, branch, sha }
}

async function getPull({ world, repository, params, accept }: Call): Promise<Reply> {
  const issue = findPull(repository, params['number'] ?? '')
  const { base, head } = issue.pull
  if (/\b(v3\.)?(diff|patch)\b/.test(accept))
    return {
      text: `${await repository.git('diff', `${base.sha}...${head.sha}`)}\n`,
      headers: { 'content-type': 'application/vnd.github.diff; charset=utf-8' },
    }
  return { body: await showPull(world, repository, issue, 'asked') }
}

async function updatePull(call: Call): Promise<Reply> {
  const { world, repository, params, body } = call
  const by = accountOf(call.by)
  const issue = findPull(repository, params['number'] ?? '')
  const { state, base } = body
  const [title, text] = [textOf(call, 'title', 'PullRequest'), textOf(call, 'body', 'PullRequest')]
  if (state === 'open' && issue.state === 'closed') await mayReopen(issue)
  if (typeof base === 'string' && base !== issue.pull.base.branch) {
    const sha = await branchCommit(repository, base)
    if (!sha) throw invalid('PullRequest', { field: 'base' })
    issue.pull.base = { branch: base, sha }
  }
  if (title !== null) issue.title = title
  if (body['body'] !== undefined) issue.body = text
  issue.updatedAt = new Date()
  if (title !== null || body['body'] !== undefined || base !== undefined)
    await tellPull(world, repository, issue, { action: 'edited', by, more: { changes: {} } })
  if ((state === 'open' || state === 'closed') && state !== issue.state) {
    issue.state = state
    issue.closedAt = state === 'closed' ? new Date() : null
    await tellPull(world, repository, issue, { action: state === 'closed' ? 'closed' : 'reopened', by })
  }
  return { body: await showPull(world, repository, issue, 'told') }
}

async function mayReopen({ pull }: PullIssue): Promise<void> {
  if (pull.mergedAt) throw invalid('PullRequest', 'The pull request cannot be reopened.')
  const sha = await branchCommit(pull.head.repository, pull.head.branch)
  if (!sha) throw invalid('PullRequest', `state cannot be changed. The ${pull.head.branch} branch has been deleted.`)
  pull.head.sha = sha
}

async function mergePull(call: Call): Promise<Reply> {
  const { world, repository, params, body } = call
  const by = accountOf(call.by)
  const issue = findPull(repository, params['number'] ?? '')
  const { pull } = issue
  if (issue.state === 'closed') throw new GitHubError(405, 'Pull Request is not mergeable')
  if (pull.draft) throw new GitHubError(405, 'Pull Request is still a draft')
  if (typeof body['sha'] === 'string' && body['sha'] !== pull.head.sha)
    throw new GitHubError(409, 'Head branch was modified. Review and try the merge again.')
  if (repository.rules.has('merge_queue'))
    throw new GitHubError(405, 'Repository rule violations found: Changes must be made through the merge queue')
  if (repository.rules.has('up_to_date') && !(await holdsBase(repository, pull)))
    throw new GitHubError(
      405,
      'Required status check is expected. The head branch is not up to date with the base branch.',
    )
  const method = textOf(call, 'merge_method') ?? 'merge'
  const from = `Merge pull request #${issue.number} from ${pull.head.repository.owner.login}/${pull.head.branch}`
  const title = textOf(call, 'commit_title') ?? (method === 'squash' ? `${issue.title} (#${issue.number})` : from)
  const message = textOf(call, 'commit_message') ?? (method === 'squash' ? '' : issue.title)
  const commit = await land(world, repository, issue, { method, title, message, by })
  if (!commit) throw new GitHubError(405, 'Pull Request is not mergeable')
  return { body: { sha: commit, merged: true, message: 'Pull Request successfully merged' } }
}

/** Answers the merge's commit; null where there are conflicts. */
export async function land(
  world: World,
  repository: Repository,
  issue: PullIssue,
  merge: { method: string; title: string; message: string; by: Account },
): Promise<string | null> {
  const { pull } = issue
  const { by } = merge
  const commit = await makeMerge(world, repository, issue, merge)
  if (!commit) return null
  const before = await readBranches(repository)
  const onto = before.get(`refs/heads/${pull.base.branch}`) ?? null
  await repository.git('update-ref', `refs/heads/${pull.base.branch}`, commit)
  Object.assign(pull, { mergedAt: new Date(), mergedBy: by, mergeCommit: commit, mergedOnto: onto })
  Object.assign(issue, { state: 'closed', closedAt: new Date(), updatedAt: new Date() })
  await tellPull(world, repository, issue, { action: 'closed', by })
  await notifyMoves(world, repository, { before, by })
  return commit
}

function isMerged({ repository, params }: Call): Reply {
  if (!findPull(repository, params['number'] ?? '').pull.mergedAt) throw new GitHubError(404, 'Not Found')
  return { status: 204 }
}

async function listFiles(call: Call): Promise<Reply> {
  const files = await filesOf(call.repository, findPull(call.repository, call.params['number'] ?? '').pull)
  return page(call, files)
}

async function listCommits(call: Call): Promise<Reply> {
  const { repository } = call
  const { base, head } = findPull(repository, call.params['number'] ?? '').pull
  const listed = await repository.git('log', '--reverse', '--format=%H%x09%s', head.sha, `^${base.sha}`)
  const commits = listed.split('\n').filter(Boolean)
  return page(
    call,
    commits.map((line) => {
      const [sha, message] = line.split('\t')
      return { sha, commit: { message } }
    }),
  )
}

async function requestReviewers(call: Call): Promise<Reply> {
  const { world, repository, params } = call
  const issue = findPull(repository, params['number'] ?? '')
  const request = textsOf(call, 'reviewers').map((login) => findAccount(world, login))
  if (request.includes(issue.author)) throw new GitHubError(422, 'Review cannot be requested from pull request author.')
  if (!request.every((account) => mayReview(repository, account)))
    throw new GitHubError(422, 'Reviews may only be requested from collaborators.')
  for (const requested_reviewer of request) {
    if (!issue.pull.requested.includes(requested_reviewer)) issue.pull.requested.push(requested_reviewer)
    const more = {
      requested_reviewer: { login: requested_reviewer.login, id: requested_reviewer.id, type: requested_reviewer.type },
    }
    await tellPull(world, repository, issue, { action: 'review_requested', by: accountOf(call.by), more })
  }
  return { status: 201, body: await showPull(world, repository, issue, 'listed') }
}

/** Of GitHub's own bots one can be asked; here any can. */
const mayReview = (repository: Repository, account: Account) =>
  account.type === 'Bot' || (repository.roles.has(account.id) && atLeast(roleOf(repository, account), 'read'))
