import type {
  Account,
  App,
  CheckRun,
  Comment,
  Installation,
  Issue,
  Repository,
  Review,
  Status,
  Suite,
  World,
} from './world.ts'
import { fullName, roleOf } from './world.ts'

type Shown = Record<string, unknown>

export const nodeId = (kind: string, id: number): string => Buffer.from(`0:${kind}${id}`).toString('base64')
const repositoryUrl = (world: World, repository: Repository) => `${world.apiUrl}/repos/${fullName(repository)}`
const pageUrl = (world: World, repository: Repository) => `${world.url}/${fullName(repository)}`

export function showAccount(world: World, account: Account): Shown {
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('User', account.id),
    avatar_url: `${world.url}/avatars/${account.id}`,
    gravatar_id: '',
    url: `${world.apiUrl}/users/${encodeURIComponent(account.login)}`,
    html_url:
      account.type === 'Bot'
        ? `${world.url}/apps/${account.login.replace('[bot]', '')}`
        : `${world.url}/${account.login}`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  }
}

export function showRepository(world: World, repository: Repository, viewer?: Account): Shown {
  const role = viewer ? roleOf(repository, viewer) : null
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.isPrivate,
    owner: showAccount(world, repository.owner),
    html_url: pageUrl(world, repository),
    description: null,
    fork: repository.parent !== null,
    url: repositoryUrl(world, repository),
    clone_url: `${pageUrl(world, repository)}.git`,
    default_branch: repository.defaultBranch,
    visibility: repository.isPrivate ? 'private' : 'public',
    archived: repository.isArchived,
    disabled: false,
    language: null,
    size: 1,
    topics: [],
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: true,
    permissions: {
      admin: role === 'admin',
      maintain: role === 'admin' || role === 'maintain',
      push: role === 'admin' || role === 'maintain' || role === 'write',
      triage: role !== null && role !== 'read',
      pull: true,
    },
    created_at: repository.createdAt.toISOString(),
    updated_at: repository.createdAt.toISOString(),
    pushed_at: repository.createdAt.toISOString(),
    ...(repository.parent && { parent: showRepository(world, repository.parent) }),
  }
}

export function showIssue(world: World, repository: Repository, issue: Issue): Shown {
  const url = `${repositoryUrl(world, repository)}/issues/${issue.number}`
  const kind = issue.pull ? 'pull' : 'issues'
  const html = `${pageUrl(world, repository)}/${kind}/${issue.number}`
  return {
    id: issue.id,
    node_id: nodeId('Issue', issue.id),
    url,
    repository_url: repositoryUrl(world, repository),
    comments_url: `${url}/comments`,
    html_url: html,
    number: issue.number,
    state: issue.state,
    state_reason: issue.state === 'closed' ? 'completed' : null,
    title: issue.title,
    body: issue.body,
    user: showAccount(world, issue.author),
    labels: issue.labels.map((name) => showLabel(name)),
    assignee: issue.assignees[0] ? showAccount(world, issue.assignees[0]) : null,
    assignees: issue.assignees.map((each) => showAccount(world, each)),
    milestone: null,
    locked: false,
    comments: repository.comments.filter((each) => each.number === issue.number).length,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    closed_at: issue.closedAt?.toISOString() ?? null,
    // Of no use to know who may do what: members of an organization may stand here as NONE.
    author_association: 'NONE',
    ...(issue.pull && {
      draft: issue.pull.draft,
      pull_request: {
        url: url.replace('/issues/', '/pulls/'),
        html_url: html,
        diff_url: `${html}.diff`,
        merged_at: issue.pull.mergedAt?.toISOString() ?? null,
      },
    }),
  }
}

export const showLabel = (name: string): Shown => ({ id: 1, name, color: 'ededed', default: false, description: null })

export function showComment(world: World, repository: Repository, comment: Comment): Shown {
  const isPull = repository.issues.get(comment.number)?.pull
  const page = `${pageUrl(world, repository)}/${isPull ? 'pull' : 'issues'}/${comment.number}`
  const shared = {
    id: comment.id,
    body: comment.body,
    user: showAccount(world, comment.author),
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
    author_association: 'NONE',
    performed_via_github_app: null,
    reactions: { total_count: comment.reactions.length },
  }
  if (!comment.line)
    return {
      ...shared,
      node_id: nodeId('IssueComment', comment.id),
      url: `${repositoryUrl(world, repository)}/issues/comments/${comment.id}`,
      html_url: `${page}#issuecomment-${comment.id}`,
      issue_url: `${repositoryUrl(world, repository)}/issues/${comment.number}`,
    }
  const { line } = comment
  return {
    ...shared,
    node_id: nodeId('PullRequestReviewComment', comment.id),
    url: `${repositoryUrl(world, repository)}/pulls/comments/${comment.id}`,
    html_url: `${page}#discussion_r${comment.id}`,
    pull_request_url: `${repositoryUrl(world, repository)}/pulls/${comment.number}`,
    pull_request_review_id: line.reviewId,
    diff_hunk: line.hunk,
    path: line.path,
    line: line.line,
    original_line: line.line,
    start_line: line.startLine,
    original_start_line: line.startLine,
    start_side: line.startLine === null ? null : line.side,
    side: line.side,
    position: line.line,
    commit_id: line.commit,
    original_commit_id: line.commit,
    subject_type: 'line',
    ...(line.replyTo && { in_reply_to_id: line.replyTo }),
  }
}

export function showReview(world: World, repository: Repository, review: Review): Shown {
  const page = `${pageUrl(world, repository)}/pull/${review.number}`
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: showAccount(world, review.author),
    body: review.body,
    state: review.state,
    html_url: `${page}#pullrequestreview-${review.id}`,
    pull_request_url: `${repositoryUrl(world, repository)}/pulls/${review.number}`,
    submitted_at: review.submittedAt.toISOString(),
    commit_id: review.commit,
    author_association: 'NONE',
  }
}

export function showApp(world: World, app: App): Shown {
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    owner: showAccount(world, app.owner),
    name: app.name,
    description: '',
    external_url: 'https://example.com',
    html_url: `${world.url}/apps/${app.slug}`,
    permissions: { metadata: 'read', ...app.permissions },
    events: app.events,
  }
}

export function showInstallation(world: World, installation: Installation): Shown {
  return {
    id: installation.id,
    account: showAccount(world, installation.account),
    repository_selection: installation.repositories ? 'selected' : 'all',
    access_tokens_url: `${world.apiUrl}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url: `${world.url}/settings/installations/${installation.id}`,
    app_id: installation.app.id,
    app_slug: installation.app.slug,
    target_id: installation.account.id,
    target_type: installation.account.type,
    permissions: { metadata: 'read', ...installation.permissions },
    events: installation.app.events,
    created_at: installation.createdAt.toISOString(),
    updated_at: installation.createdAt.toISOString(),
    single_file_name: null,
    suspended_at: installation.isSuspended ? new Date().toISOString() : null,
    suspended_by: null,
  }
}

export function showCheckRun(world: World, repository: Repository, run: CheckRun): Shown {
  const url = `${repositoryUrl(world, repository)}/check-runs/${run.id}`
  const suite = repository.suites.find((each) => each.id === run.suiteId)
  return {
    id: run.id,
    node_id: nodeId('CheckRun', run.id),
    name: run.name,
    head_sha: run.sha,
    external_id: run.externalId,
    url,
    html_url: run.job
      ? `${pageUrl(world, repository)}/actions/runs/${run.suiteId}/job/${run.id}`
      : `${pageUrl(world, repository)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt.toISOString(),
    completed_at: run.completedAt?.toISOString() ?? null,
    output: { ...run.output, annotations_count: run.annotations.length, annotations_url: `${url}/annotations` },
    check_suite: { id: run.suiteId, head_branch: suite?.branch ?? null, head_sha: run.sha },
    app: showApp(world, run.app),
    pull_requests: pullsAt(world, repository, run.sha),
  }
}

export function showSuite(world: World, repository: Repository, suite: Suite): Shown {
  const runs = repository.checkRuns.filter((each) => each.suiteId === suite.id)
  const isDone = runs.length > 0 && runs.every((run) => run.status === 'completed')
  const conclusion = runs.find((run) => !['success', 'neutral', 'skipped'].includes(run.conclusion ?? ''))?.conclusion
  return {
    id: suite.id,
    node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.branch,
    head_sha: suite.sha,
    status: isDone ? 'completed' : 'in_progress',
    conclusion: isDone ? (conclusion ?? 'success') : null,
    url: `${repositoryUrl(world, repository)}/check-suites/${suite.id}`,
    pull_requests: pullsAt(world, repository, suite.sha),
    app: showApp(world, suite.app),
    created_at: suite.createdAt.toISOString(),
    updated_at: suite.createdAt.toISOString(),
    latest_check_runs_count: runs.length,
  }
}

/** Of branches of this repository alone: GitHub says nothing of forks here. */
function pullsAt(world: World, repository: Repository, sha: string): Shown[] {
  const open = [...repository.issues.values()].filter((issue) => issue.state === 'open' && issue.pull)
  return open
    .filter((issue) => issue.pull?.head.sha === sha && issue.pull.head.repository === repository)
    .map((issue) => ({
      id: issue.pull?.id,
      number: issue.number,
      url: `${repositoryUrl(world, repository)}/pulls/${issue.number}`,
      head: { ref: issue.pull?.head.branch, sha },
      base: { ref: issue.pull?.base.branch, sha: issue.pull?.base.sha },
    }))
}

export function showStatus(world: World, status: Status): Shown {
  return {
    id: status.id,
    node_id: nodeId('Status', status.id),
    state: status.state,
    context: status.context,
    description: status.description,
    target_url: status.targetUrl,
    creator: showAccount(world, status.by),
    created_at: status.createdAt.toISOString(),
    updated_at: status.createdAt.toISOString(),
  }
}
