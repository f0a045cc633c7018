import { runWorkflow } from './run-workflow.ts'
import { GitHubError } from './github-error.ts'
import { nodeId, showAccount, showIssue, showLabel, showRepository } from './show.ts'
import {
  branchCommit,
  fullName,
  nextId,
  type Account,
  type Issue,
  type Pull,
  type Repository,
  type World,
} from './world.ts'

export type PullIssue = Issue & { pull: Pull }

export function pullsOf(repository: Repository): PullIssue[] {
  return [...repository.issues.values()].filter((issue): issue is PullIssue => issue.pull !== null)
}

export function findPull(repository: Repository, number: string): PullIssue {
  const issue = repository.issues.get(Number(number))
  if (!issue?.pull) throw new GitHubError(404, 'Not Found')
  return issue as PullIssue
}

/** As it stands in a list, is told to a hook or after a change, or is answered to who asks for this one: only then somebody looks
 * whether it can be merged. */
export async function showPull(
  world: World,
  repository: Repository,
  issue: PullIssue,
  as: 'listed' | 'told' | 'asked',
): Promise<Record<string, unknown>> {
  const { pull } = issue
  const side = (of: Repository, branch: string, sha: string) => ({
    label: `${of.owner.login}:${branch}`,
    ref: branch,
    sha,
    user: showAccount(world, of.owner),
    repo: world.repositories.includes(of) ? showRepository(world, of) : null,
  })
  const { pull_request: _, ...shown } = showIssue(world, repository, issue)
  const api = `${world.apiUrl}/repos/${fullName(repository)}/pulls/${issue.number}`
  const html = `${world.url}/${fullName(repository)}/pull/${issue.number}`
  return {
    ...shown,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    url: api,
    html_url: html,
    diff_url: `${html}.diff`,
    issue_url: `${world.apiUrl}/repos/${fullName(repository)}/issues/${issue.number}`,
    // Of a pull request it is published as a text; of an issue it may be null.
    labels: issue.labels.map((name) => ({ ...showLabel(name), description: '' })),
    requested_reviewers: pull.requested.map((each) => showAccount(world, each)),
    requested_teams: [],
    draft: pull.draft,
    merged_at: pull.mergedAt?.toISOString() ?? null,
    merge_commit_sha: pull.mergeCommit,
    head: side(pull.head.repository, pull.head.branch, pull.head.sha),
    base: side(repository, pull.base.branch, pull.base.sha),
    auto_merge: null,
    maintainer_can_modify: false,
    ...(as !== 'listed' && (await facts(world, repository, issue, as))),
  }
}

async function facts(
  world: World,
  repository: Repository,
  issue: PullIssue,
  as: 'told' | 'asked',
): Promise<Record<string, unknown>> {
  const { pull } = issue
  const mergeable = as === 'asked' && issue.state === 'open' ? await lookAtMerge(repository, pull) : null
  const files = await filesOf(repository, pull)
  return {
    merged: pull.mergedAt !== null,
    merged_by: pull.mergedBy && showAccount(world, pull.mergedBy),
    mergeable,
    rebaseable: mergeable,
    mergeable_state: await mergeStateOf(repository, pull, mergeable),
    comments: repository.comments.filter((each) => each.number === issue.number).length,
    review_comments: repository.reviewComments.filter((each) => each.number === issue.number).length,
    commits: Number(await repository.git('rev-list', '--count', pull.head.sha, `^${pull.base.sha}`)),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  }
}

async function mergeStateOf(repository: Repository, pull: Pull, mergeable: boolean | null): Promise<string> {
  if (mergeable === null) return 'unknown'
  if (!mergeable) return 'dirty'
  if (pull.draft) return 'draft'
  return repository.rules.has('up_to_date') && !(await holdsBase(repository, pull)) ? 'behind' : 'clean'
}

export async function holdsBase(repository: Repository, { base, head }: Pull): Promise<boolean> {
  const onto = (await branchCommit(repository, base.branch)) ?? base.sha
  return (await repository.tryGit('merge-base', '--is-ancestor', onto, head.sha)).exitCode === 0
}

/** Null at the first look after a change: GitHub finds it out behind its answer. */
async function lookAtMerge(repository: Repository, pull: Pull): Promise<boolean | null> {
  const base = (await branchCommit(repository, pull.base.branch)) ?? pull.base.sha
  const of = `${base} ${pull.head.sha}`
  if (pull.mergeability?.of === of) return pull.mergeability.isClean
  pull.mergeability = { of, isClean: (await mergeTree(repository, base, pull.head.sha)) !== null }
  return null
}

/** The tree of both; null where they are at odds. */
export async function mergeTree(repository: Repository, ours: string, theirs: string): Promise<string | null> {
  const { exitCode, stdout, stderr } = await repository.tryGit('merge-tree', '--write-tree', ours, theirs)
  if (exitCode > 1) throw new Error(stderr)
  return exitCode === 0 ? (stdout.split('\n')[0] ?? '') : null
}

export async function filesOf(repository: Repository, { base, head }: Pull) {
  const range = `${base.sha}...${head.sha}`
  const [status, counts] = await Promise.all([
    repository.git('diff', '--name-status', '-M', range),
    repository.git('diff', '--numstat', '-M', range),
  ])
  const words: Record<string, string> = { A: 'added', M: 'modified', D: 'removed', R: 'renamed' }
  const numbers = counts.split('\n').map((line) => line.split('\t'))
  const files = status.split('\n').filter(Boolean)
  return Promise.all(
    files.map(async (line, index) => {
      const [kind = '', first = '', second] = line.split('\t')
      const [additions, deletions] = numbers[index] ?? []
      const filename = second ?? first
      const diff = await repository.git('diff', '-M', range, '--', filename)
      return {
        filename,
        ...(second !== undefined && { previous_filename: first }),
        status: words[kind[0] ?? ''] ?? 'changed',
        additions: Number(additions) || 0,
        deletions: Number(deletions) || 0,
        changes: (Number(additions) || 0) + (Number(deletions) || 0),
        patch: diff.includes('@@') ? diff.slice(diff.indexOf('@@')) : undefined,
      }
    }),
  )
}

export const readBranches = async (repository: Repository): Promise<Map<string, string>> => {
  const listed = await repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags')
  return new Map(
    listed
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  )
}

const nobody = '0'.repeat(40)

/** Says what has moved: pushes, heads of pull requests, jobs that begin. */
export async function notifyMoves(
  world: World,
  repository: Repository,
  { before, by }: { before: Map<string, string>; by: Account },
): Promise<void> {
  const after = await readBranches(repository)
  for (const ref of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(ref), after.get(ref)]
    if (from === to) continue
    world.tell({ event: 'push', repository, by, payload: await showPush(world, repository, { ref, from, to, by }) })
    const moved = { before: from ?? null, after: to ?? null, by, at: new Date() }
    repository.activity.push({ id: nextId(world), ref, ...moved })
    const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null
    if (branch === null) continue
    if (to) await moveHeads(world, repository, { branch, from, to, by })
    if (to) runWorkflow(world, repository, { sha: to, branch, attempt: 1 })
    if (!to) await closePullsOf(world, repository, { branch, by })
  }
}

type Moved = { ref: string; from: string | undefined; to: string | undefined; by: Account }

async function showPush(world: World, repository: Repository, { ref, from, to, by }: Moved) {
  const isForced = from && to && (await repository.tryGit('merge-base', '--is-ancestor', from, to)).exitCode !== 0
  const others = from ? [`^${from}`] : []
  const listed = to
    ? await repository.git('log', '--max-count=20', '--format=%H%x09%an%x09%ae%x09%s', to, ...others)
    : ''
  const commits = listed
    .split('\n')
    .filter(Boolean)
    .reverse()
    .map((line) => {
      const [id = '', name, email, message] = line.split('\t')
      return { id, message, distinct: true, author: { name, email }, committer: { name, email } }
    })
  return {
    ref,
    before: from ?? nobody,
    after: to ?? nobody,
    created: !from,
    deleted: !to,
    forced: Boolean(isForced),
    base_ref: null,
    compare: `${world.url}/${fullName(repository)}/compare/${from?.slice(0, 12)}...${to?.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: by.login, email: by.email },
  }
}

async function moveHeads(
  world: World,
  repository: Repository,
  { branch, from, to, by }: { branch: string; from: string | undefined; to: string; by: Account },
): Promise<void> {
  for (const base of world.repositories) {
    for (const issue of pullsOf(base)) {
      const { head } = issue.pull
      if (issue.state !== 'open' || head.repository !== repository || head.branch !== branch) continue
      await keepHead(base, issue.number, repository, to)
      head.sha = to
      issue.updatedAt = new Date()
      await tellPull(world, base, issue, { action: 'synchronize', by, more: { before: from ?? nobody, after: to } })
    }
  }
}

/** The head lies in the base's repository, too, under its number. */
export async function keepHead(base: Repository, number: number, of: Repository, sha: string): Promise<void> {
  if (of !== base) await base.git('fetch', '--quiet', of.folder, sha)
  await base.git('update-ref', `refs/pull/${number}/head`, sha)
}

async function closePullsOf(
  world: World,
  repository: Repository,
  { branch, by }: { branch: string; by: Account },
): Promise<void> {
  for (const issue of pullsOf(repository)) {
    if (issue.state !== 'open' || issue.pull.head.branch !== branch || issue.pull.head.repository !== repository)
      continue
    Object.assign(issue, { state: 'closed', closedAt: new Date(), updatedAt: new Date() })
    await tellPull(world, repository, issue, { action: 'closed', by })
  }
}

export async function tellPull(
  world: World,
  repository: Repository,
  issue: PullIssue,
  { action, by, more = {} }: { action: string; by: Account; more?: Record<string, unknown> },
): Promise<void> {
  const pull_request = await showPull(world, repository, issue, 'told')
  world.tell({
    event: 'pull_request',
    action,
    repository,
    by,
    payload: { number: issue.number, pull_request, ...more },
  })
}

/** The commit that the base is at once it holds the head; null where they are at odds. */
export async function makeMerge(
  world: World,
  repository: Repository,
  issue: PullIssue,
  { method, title, message, by }: { method: string; title: string; message: string; by: Account },
): Promise<string | null> {
  const { head, base } = issue.pull
  const onto = (await branchCommit(repository, base.branch)) ?? base.sha
  const person = ['-c', `user.name=${by.login}`, '-c', `user.email=${by.email ?? `${by.id}@example.com`}`]
  if (method === 'rebase')
    return rebase(repository, { folder: `${world.folder}/rebase-${nextId(world)}`, onto, head: head.sha })
  const tree = await mergeTree(repository, onto, head.sha)
  if (tree === null) return null
  const parents = method === 'squash' ? ['-p', onto] : ['-p', onto, '-p', head.sha]
  const words = ['-m', title, ...(message ? ['-m', message] : [])]
  return repository.git(...person, 'commit-tree', tree, ...parents, ...words)
}

async function rebase(
  repository: Repository,
  { folder, onto, head }: { folder: string; onto: string; head: string },
): Promise<string | null> {
  await repository.git('worktree', 'add', '--quiet', '--detach', folder, head)
  const { exitCode } = await repository.tryGit('-C', folder, 'rebase', '--quiet', onto)
  const commit = exitCode === 0 ? await repository.git('-C', folder, 'rev-parse', 'HEAD') : null
  await repository.git('worktree', 'remove', '--force', folder)
  return commit
}
