import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { authorize, findCaller, isEnough, sees } from './authorize.ts'
import { notifyMoves, readBranches } from './pulls.ts'
import { GitHubError } from './github-error.ts'
import { findRepository, fullName, inTurn, type Caller, type Repository, type World } from './world.ts'

const path = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/

export const isGit = (url: URL): boolean => path.test(url.pathname)

/** Clones, fetches and pushes over smart HTTP, as GitHub serves them. */
export async function serveGit(
  world: World,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const [, owner = '', name = '', rest = ''] = path.exec(url.pathname) ?? []
    const service = rest === 'info/refs' ? (url.searchParams.get('service') ?? '') : rest
    if (!/^git-(upload|receive)-pack$/.test(service)) throw new GitHubError(403, 'Please upgrade your git client.')
    const caller = await callerOf(world, request)
    const found = findRepository(world, owner, name)
    if (!found || !sees(caller, found.repository)) {
      if (!caller) throw needLogin()
      throw new GitHubError(404, 'Repository not found.')
    }
    const { repository } = found
    if (found.isFormer) {
      const to = `${world.url}/${fullName(repository)}.git/${rest}${url.search}`
      return void response.writeHead(rest === 'info/refs' ? 301 : 307, { location: to }).end()
    }
    const isPush = service === 'git-receive-pack'
    if (isPush && !caller) throw needLogin()
    authorize(caller, repository, { needs: { contents: isPush ? 'write' : 'read' } })
    const serve = () => runService(repository, { service, isRefs: rest === 'info/refs', caller, request, response })
    if (!isPush || rest === 'info/refs' || !caller || 'app' in caller) await serve()
    else
      await inTurn(repository, async () => {
        const before = await readBranches(repository)
        await serve()
        await notifyMoves(world, repository, { before, by: caller.token.account })
      })
    // Only now, so that whoever has pushed finds all that follows from it.
    response.end()
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    response.writeHead(error.status, { 'content-type': 'text/plain', ...error.headers }).end(error.message)
  }
}

const needLogin = () =>
  new GitHubError(401, 'Repository not found.', {}, { 'www-authenticate': 'Basic realm="GitHub"' })

async function callerOf(world: World, request: IncomingMessage): Promise<Caller> {
  const caller = await findCaller(world, request.headers.authorization).catch((error: unknown) => {
    if (error instanceof GitHubError && error.status === 401) throw needLogin()
    throw error
  })
  // The key of an App opens the API and no repository.
  if (caller && 'app' in caller) throw needLogin()
  return caller
}

type Served = {
  service: string
  isRefs: boolean
  caller: Caller
  request: IncomingMessage
  response: ServerResponse
}

async function runService(repository: Repository, served: Served): Promise<void> {
  const { service, isRefs, request, response } = served
  const words = [service.slice('git-'.length), '--stateless-rpc', ...(isRefs ? ['--advertise-refs'] : [])]
  const child = spawn('git', [...configOf(repository), ...words, repository.folder], {
    env: environmentOf(repository, served),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  response.on('close', () => child.kill())
  child.stdin.on('error', () => {})
  const kind = isRefs ? 'advertisement' : 'result'
  response.writeHead(200, { 'content-type': `application/x-${service}-${kind}`, 'cache-control': 'no-cache' })
  if (isRefs && served.request.headers['git-protocol'] !== 'version=2') {
    const line = `# service=${service}\n`
    response.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
  }
  const input = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  const closed = new Promise((resolve) => child.on('close', resolve))
  const answered = pipeline(child.stdout, response, { end: false })
  // Either side may hang up.
  await Promise.allSettled([pipeline(input, child.stdin), answered])
  await closed
}

const configOf = (repository: Repository): string[] =>
  [
    `safe.directory=${repository.folder}`,
    `core.hooksPath=${repository.folder}/github-hooks`,
    'uploadpack.allowFilter=true',
    'uploadpack.allowReachableSHA1InWant=true',
    'receive.hideRefs=refs/pull',
    'receive.fsckObjects=true',
    'receive.autogc=false',
  ].flatMap((setting) => ['-c', setting])

/** What the hook that looks at each ref goes by. */
function environmentOf(repository: Repository, { caller, request }: Served): NodeJS.ProcessEnv {
  const held = caller && 'token' in caller ? caller.token.permissions : null
  const mayChangeWorkflows = !held || isEnough(held['workflows'], 'write')
  const protocol = request.headers['git-protocol']
  return {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    ...(typeof protocol === 'string' && { GIT_PROTOCOL: protocol }),
    GITHUB_PROTECTED: [...repository.protectedBranches].map((branch) => ` refs/heads/${branch} `).join(''),
    GITHUB_MAY_CHANGE_WORKFLOWS: mayChangeWorkflows ? '1' : '',
  }
}

/** Put beside each repository; refuses as GitHub does what a push may not change. */
export const updateHook = `#!/bin/sh
case "$GITHUB_PROTECTED" in *" $1 "*)
  echo "error: GH006: Protected branch update failed for $1." >&2
  echo "error: Changes must be made through a pull request." >&2
  exit 1
esac
case "$3" in *[!0]*) ;; *) exit 0 ;; esac
if [ -z "$GITHUB_MAY_CHANGE_WORKFLOWS" ]; then
  changed=$(git log --format= --name-only "$3" --not --branches -- .github/workflows | head -n 1)
  if [ -n "$changed" ]; then
    echo "refusing to allow a GitHub App to create or update workflow \\\`$changed\\\` without \\\`workflows\\\` permission" >&2
    exit 1
  fi
fi
`
