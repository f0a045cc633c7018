import { accountOf } from '#test/github/authorize.ts'
import { createCommit } from '#test/github/create-commit.ts'
import { notifyMoves, readBranches } from '#test/github/pulls.ts'
import { GitHubError, invalid, notFound } from '#test/github/github-error.ts'
import { needText, page, type Call, type Reply, type Route } from '#test/github/route.ts'
import { nodeId, showAccount, showRepository } from '#test/github/show.ts'
import {
  branchCommit,
  commitOf,
  findAccount,
  findRepository,
  fullName,
  resolve,
  roleOf,
  type Repository,
} from '#test/github/world.ts'

const at = '/repos/{owner}/{repo}'

export const repositoryRoutes: Route[] = [
  {
    at: `GET ${at}`,
    answer: ({ world, repository, by }) => ({
      body: showRepository(world, repository, by && 'token' in by ? by.token.account : undefined),
    }),
  },
  { at: `PATCH ${at}`, needs: { administration: 'admin' }, answer: updateRepository },
  { at: `GET ${at}/collaborators/{login}/permission`, answer: getPermission },
  { at: `GET ${at}/activity`, needs: { contents: 'read' }, answer: listActivity },
  { at: `GET ${at}/branches`, needs: { contents: 'read' }, answer: listBranches },
  { at: `GET ${at}/branches/{branch...}`, needs: { contents: 'read' }, answer: getBranch },
  { at: `GET ${at}/git/ref/{ref...}`, needs: { contents: 'read' }, answer: getRef },
  { at: `POST ${at}/git/commits`, needs: { contents: 'write' }, answer: createCommit },
  { at: `POST ${at}/git/refs`, needs: { contents: 'write' }, answer: createRef },
  { at: `PATCH ${at}/git/refs/{ref...}`, needs: { contents: 'write' }, answer: updateRef },
  { at: `DELETE ${at}/git/refs/{ref...}`, needs: { contents: 'write' }, answer: deleteRef },
  { at: `GET ${at}/contents/{path...}`, needs: { contents: 'read' }, answer: getContents },
  { at: `GET ${at}/git/blobs/{sha}`, needs: { contents: 'read' }, answer: getBlob },
  { at: `GET ${at}/compare/{range...}`, needs: { contents: 'read' }, answer: compare },
  { at: `GET ${at}/commits/{ref}/pulls`, needs: { pull_requests: 'read' }, answer: listPullsOfCommit },
  { at: `GET ${at}/commits/{ref}`, needs: { contents: 'read' }, answer: getCommit },
  { at: `GET ${at}/languages`, answer: () => ({ body: {} }) },
]

function updateRepository({ world, repository, body, by }: Call): Reply {
  const { name, default_branch: branch, archived } = body
  if (typeof name === 'string' && name !== repository.name) {
    if (findRepository(world, repository.owner.login, name)?.isFormer === false)
      throw invalid('Repository', { field: 'name', message: 'name already exists on this account' })
    const from = repository.name
    repository.formerNames.push(from)
    repository.name = name
    const changes = { repository: { name: { from } } }
    world.tell({ event: 'repository', action: 'renamed', repository, by: accountOf(by), payload: { changes } })
  }
  if (typeof branch === 'string') repository.defaultBranch = branch
  if (typeof archived === 'boolean') repository.isArchived = archived
  return { body: showRepository(world, repository) }
}

function getPermission({ world, repository, params }: Call): Reply {
  const account = findAccount(world, params['login'] ?? '')
  if (account.type !== 'User') throw new GitHubError(404, `${account.login} is not a user`)
  const role = roleOf(repository, account)
  const coarse = { admin: 'admin', maintain: 'write', write: 'write', triage: 'read', read: 'read' }
  return {
    body: {
      permission: role ? coarse[role] : 'none',
      role_name: role ?? 'none',
      user: showAccount(world, account),
    },
  }
}

/** The newest first. */
function listActivity(call: Call): Reply {
  const { world, repository, url } = call
  const ref = url.searchParams.get('ref')
  const nothing = '0'.repeat(40)
  const listed = repository.activity.filter((each) => ref === null || each.ref === ref).toReversed()
  return page(
    call,
    listed.map(({ id, before, after, by, at: time, ...each }) => ({
      id,
      node_id: nodeId('Activity', id),
      before: before ?? nothing,
      after: after ?? nothing,
      ref: each.ref,
      timestamp: time.toISOString(),
      activity_type: before === null ? 'branch_creation' : after === null ? 'branch_deletion' : 'push',
      actor: showAccount(world, by),
    })),
  )
}

async function listBranches(call: Call): Promise<Reply> {
  const branches = [...(await readBranches(call.repository))].filter(([ref]) => ref.startsWith('refs/heads/'))
  return page(
    call,
    branches.map(([ref, sha]) => showBranch(call, ref.slice('refs/heads/'.length), sha)),
  )
}

const showBranch = ({ repository, world }: Call, name: string, sha: string) => ({
  name,
  commit: { sha, url: `${world.apiUrl}/repos/${fullName(repository)}/commits/${sha}` },
  protected: repository.protectedBranches.has(name),
})

async function getBranch(call: Call): Promise<Reply> {
  const name = call.params['branch'] ?? ''
  const sha = await branchCommit(call.repository, name)
  if (!sha) throw new GitHubError(404, 'Branch not found')
  return { body: showBranch(call, name, sha) }
}

const showRef = (ref: string, sha: string) => ({ ref, node_id: nodeId('Ref', 1), object: { type: 'commit', sha } })

async function getRef({ repository, params }: Call): Promise<Reply> {
  const ref = `refs/${params['ref']}`
  const sha = await commitOf(repository, ref)
  if (!sha) throw notFound()
  return { body: showRef(ref, sha) }
}

async function createRef(call: Call): Promise<Reply> {
  const [ref, sha] = [needText(call, 'ref', 'Reference'), needText(call, 'sha', 'Reference')]
  if (!/^refs\/(heads|tags)\//.test(ref)) throw new GitHubError(422, 'Reference name must start with refs/')
  if (await commitOf(call.repository, ref)) throw new GitHubError(422, 'Reference already exists')
  await moveRef(call, ref, sha)
  return { status: 201, body: showRef(ref, sha) }
}

async function updateRef(call: Call): Promise<Reply> {
  const ref = `refs/${call.params['ref']}`
  const sha = needText(call, 'sha', 'Reference')
  const from = await commitOf(call.repository, ref)
  if (!from) throw new GitHubError(422, 'Reference does not exist')
  const { exitCode } = await call.repository.tryGit('merge-base', '--is-ancestor', from, sha)
  if (exitCode !== 0 && call.body['force'] !== true) throw new GitHubError(422, 'Update is not a fast forward')
  await moveRef(call, ref, sha)
  return { body: showRef(ref, sha) }
}

async function moveRef({ world, repository, by }: Call, ref: string, sha: string): Promise<void> {
  if (!(await commitOf(repository, sha))) throw new GitHubError(422, 'Object does not exist')
  refuseProtected(repository, ref)
  const before = await readBranches(repository)
  await repository.git('update-ref', ref, sha)
  await notifyMoves(world, repository, { before, by: accountOf(by) })
}

async function deleteRef({ world, repository, params, by }: Call): Promise<Reply> {
  const ref = `refs/${params['ref']}`
  if (!(await commitOf(repository, ref))) throw new GitHubError(422, 'Reference does not exist')
  refuseProtected(repository, ref)
  const before = await readBranches(repository)
  await repository.git('update-ref', '-d', ref)
  await notifyMoves(world, repository, { before, by: accountOf(by) })
  return { status: 204 }
}

function refuseProtected(repository: Repository, ref: string): void {
  if (repository.protectedBranches.has(ref.replace('refs/heads/', '')))
    throw new GitHubError(422, 'Changes must be made through a pull request.')
}

async function getContents(call: Call): Promise<Reply> {
  const { repository, params, url, accept } = call
  const path = params['path'] ?? ''
  const ref = url.searchParams.get('ref') ?? repository.defaultBranch
  const commit = (await branchCommit(repository, ref)) ?? (await commitOf(repository, ref))
  if (!commit) throw new GitHubError(404, `No commit found for the ref ${ref}`)
  const listed = await repository.tryGit('ls-tree', '-l', commit, '--', path)
  const [mode, type, sha, size] = listed.stdout.split(/\s+/)
  if (listed.exitCode !== 0 || !sha) throw notFound()
  if (type === 'tree') return { body: await listFolder(call, commit, path) }
  const entry = { name: path.split('/').at(-1), path, sha, size: Number(size) }
  if (type === 'commit') return { body: { ...entry, type: 'submodule', submodule_git_url: null } }
  const text = (await repository.tryGit('cat-file', 'blob', sha)).stdout
  if (mode === '120000') return { body: { ...entry, type: 'symlink', target: text } }
  if (/\braw\b/.test(accept)) return { text, headers: { 'content-type': 'application/vnd.github.raw+json' } }
  const isSmall = Number(size) <= 1_048_576
  return {
    body: {
      ...entry,
      type: 'file',
      encoding: isSmall ? 'base64' : 'none',
      content: isSmall ? Buffer.from(text).toString('base64') : '',
    },
  }
}

async function listFolder({ repository }: Call, commit: string, path: string) {
  const listed = await repository.git('ls-tree', '-l', commit, '--', `${path}/`)
  return listed.split('\n').map((line) => {
    const [facts = '', at = ''] = line.split('\t')
    const [, type, sha, size] = facts.split(/\s+/)
    return {
      name: at.split('/').at(-1),
      path: at,
      sha,
      size: Number(size) || 0,
      type: type === 'tree' ? 'dir' : 'file',
    }
  })
}

async function getBlob({ repository, params }: Call): Promise<Reply> {
  const sha = params['sha'] ?? ''
  const { exitCode, stdout } = await repository.tryGit('cat-file', 'blob', sha)
  if (exitCode !== 0) throw notFound()
  return { body: { sha, size: stdout.length, encoding: 'base64', content: Buffer.from(stdout).toString('base64') } }
}

async function compare({ repository, params, accept }: Call): Promise<Reply> {
  const [base = '', head = ''] = (params['range'] ?? '').split('...')
  const [from, to] = [await resolve(repository, base), await resolve(repository, head)]
  if (accept.includes('diff'))
    return { text: await repository.git('diff', `${from}...${to}`), headers: { 'content-type': 'text/plain' } }
  const count = async (a: string, b: string) => Number(await repository.git('rev-list', '--count', a, `^${b}`))
  const [ahead, behind] = [await count(to, from), await count(from, to)]
  const status = ahead ? (behind ? 'diverged' : 'ahead') : behind ? 'behind' : 'identical'
  const mergeBase = (await repository.git('merge-base', from, to)).trim()
  return {
    body: { status, ahead_by: ahead, behind_by: behind, total_commits: ahead, merge_base_commit: { sha: mergeBase } },
  }
}

async function getCommit({ world, repository, params }: Call): Promise<Reply> {
  const sha = await resolve(repository, params['ref'] ?? '')
  const [, parents = '', name, email, date, ...message] = (
    await repository.git('log', '-1', '--format=%H%n%P%n%an%n%ae%n%aI%n%B', sha)
  ).split('\n')
  const author = { name, email, date }
  const parentShas = parents.split(' ').filter(Boolean)
  return {
    body: {
      sha,
      html_url: `${world.url}/${fullName(repository)}/commit/${sha}`,
      commit: { message: message.join('\n').trim(), author, committer: author },
      author: null,
      parents: parentShas.map((each) => ({ sha: each })),
    },
  }
}

async function listPullsOfCommit(call: Call): Promise<Reply> {
  const { repository, params } = call
  const sha = await resolve(repository, params['ref'] ?? '')
  const pulls = [...repository.issues.values()].filter((issue) => issue.pull?.head.sha === sha)
  return page(
    call,
    pulls.map(({ number, state }) => ({ number, state, head: { sha } })),
  )
}
