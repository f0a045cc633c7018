import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '#base/limits.ts'
import type { DoorRepo } from '#domain/repos/find-door-repo.ts'
import type { BranchUpdate } from '#domain/repos/record-push.ts'
import type { GitGrant } from '#domain/tokens/find-git-grant.ts'
import { converse, type RunningGit } from './converse.ts'
import { notFound, readBody, readGitRequest, readProtocol, readSecret, Refusal, upTo } from './git-request.ts'
import type { GitRequest, GitService } from './git-request.ts'
import { flushPacket, packetLine } from './packet-line.ts'
import { isDeletion, readPushHead, type PushCommand, type PushHead } from './push-commands.ts'
import { refuseRefs } from './refuse-refs.ts'
import { refusedPush } from './refused-push.ts'

export type ServeGit = {
  service: GitService
  advertise: boolean
  protocol: string | null
  allowForce: boolean
  allowDelete: boolean
  signal: AbortSignal
}
export type GitPush = { organizationId: number; repoId: number; updates: BranchUpdate[]; runId: number | null }

export type GitDoorOptions = {
  findRepo(which: { organizationId: number; name: string }): Promise<DoorRepo | null>
  /** Null for a token that is no good; `elsewhere` for one that is good, but not for this repository. */
  authenticate(
    secret: string,
    at: { organizationId: number; repoId: number | null; runId: number | null },
  ): Promise<GitGrant | 'elsewhere' | null>
  host: {
    serveGit(repo: DoorRepo, request: ServeGit): Promise<RunningGit>
    mirror(repo: DoorRepo): Promise<{ branches: Map<string, string> }>
  }
  /** Called before the client hears that its push is done. */
  onPush(push: GitPush): Promise<void>
  /** Told what is a fault of ours. */
  onError(error: unknown): void
}

type Visit = {
  options: GitDoorOptions
  request: IncomingMessage
  response: ServerResponse
  wanted: GitRequest
  repo: DoorRepo
  grant: GitGrant
  /** Aborted when the client goes away. */
  gone: AbortSignal
  /** Ends the git that is at work for it: when it goes away, and when what it sends is no good. */
  stop: AbortController
}

/** Git's smart HTTP protocol below `/git/`: clone, fetch and push, with a token as password. */
export function gitDoor(
  options: GitDoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const [left, stop] = [new AbortController(), new AbortController()]
    response.on('close', () => {
      left.abort()
      stop.abort()
    })
    const gone = left.signal
    try {
      const visit = { options, request, response, gone, stop, ...(await admit(options, request)) }
      await (visit.wanted.advertise
        ? advertise(visit)
        : visit.wanted.service === 'upload-pack'
          ? fetch(visit)
          : push(visit))
    } catch (error) {
      if (gone.aborted) return
      if (!(error instanceof Refusal)) options.onError(error)
      refuse(response, error instanceof Refusal ? error : new Refusal(500, 'Something went wrong on our side.'))
    }
  }
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  // Half an answer cannot be taken back; a broken connection tells the client that it is not whole.
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers })
  response.end(`${message}\n`)
}

async function admit(
  options: GitDoorOptions,
  request: IncomingMessage,
): Promise<Pick<Visit, 'wanted' | 'repo' | 'grant'>> {
  const wanted = readGitRequest(request)
  const { organizationId, repoName } = wanted
  const secret = readSecret(request)
  const repo = await options.findRepo({ organizationId, name: repoName })
  const at = { organizationId, repoId: repo?.id ?? null, runId: repo?.runId ?? null }
  const grant = secret ? await options.authenticate(secret, at) : null
  if (!grant) {
    throw new Refusal(401, 'A token is needed: give it as the password.', {
      'WWW-Authenticate': 'Basic realm="Runwright"',
    })
  }
  // The same answer whether it is not there or not theirs.
  if (grant === 'elsewhere' || !repo) throw notFound()
  return { wanted, repo, grant }
}

async function advertise({ options, request, response, wanted, repo, stop }: Visit): Promise<void> {
  const { service } = wanted
  const protocol = service === 'upload-pack' ? readProtocol(request) : null
  const git = await options.host.serveGit(repo, { ...reading(stop), service, advertise: true, protocol })
  begin(response, `application/x-git-${service}-advertisement`)
  if (!protocol?.split(':').includes('version=2')) {
    response.write(Buffer.concat([packetLine(`# service=git-${service}\n`), Buffer.from(flushPacket)]))
  }
  const end = await converse(git, { body: nothing(), response, stop })
  if (end.exitCode !== 0) throw new Error(`git ${service} could not list refs: ${end.stderr}`)
  response.end()
}

async function fetch({ options, request, response, repo, gone, stop }: Visit): Promise<void> {
  const body = upTo(limits.gitRequestBytesMax, readBody(request, gone))
  const protocol = readProtocol(request)
  const git = await options.host.serveGit(repo, {
    ...reading(stop),
    service: 'upload-pack',
    advertise: false,
    protocol,
  })
  begin(response, 'application/x-git-upload-pack-result')
  const end = await converse(git, { body, response, stop })
  // What git has against a request it says in its answer; without one the request was no request.
  if (end.exitCode !== 0 && !response.headersSent) throw new Refusal(400, 'The request is not understood.')
  response.end()
}

async function push(visit: Visit): Promise<void> {
  const { options, request, response, repo, grant, gone, stop } = visit
  // Git refuses a pack beyond its limit in its answer, for which the client waits until it has sent all.
  const head = await readPushHead(upTo(2 * limits.pushBytesMax, readBody(request, gone)))
  const refused = refuseRefs(head.commands, { grant, repo })
  // Before a large push clients ask with an empty one whether they will be let in.
  if (!head.commands.length || refused.size) return answerWithoutGit(response, head, refused)
  const isRun = grant.runId !== null
  const movesDefault = head.commands.some(({ ref }) => ref === `refs/heads/${repo.defaultBranch}`)
  const git = await options.host.serveGit(repo, {
    service: 'receive-pack',
    advertise: false,
    protocol: null,
    allowForce: !isRun && !movesDefault,
    allowDelete: !isRun,
    signal: stop.signal,
  })
  begin(response, 'application/x-git-receive-pack-result')
  const body = isRun ? withheld(head.body, () => admit(options, request)) : head.body
  const end = await converse(git, { body, response, stop })
  if (end.exitCode !== 0 && !response.headersSent) throw new Refusal(400, 'The push is not understood.')
  await tell(visit, head.commands)
  response.end()
}

/** Keeps the last piece back until it is asked again: a run may be taken from its worker while a large pack comes in. */
async function* withheld(body: AsyncIterable<Buffer>, ask: () => Promise<unknown>): AsyncGenerator<Buffer> {
  let last: Buffer | undefined
  for await (const chunk of body) {
    if (last) yield last
    last = chunk
  }
  await ask()
  if (last) yield last
}

async function answerWithoutGit(response: ServerResponse, head: PushHead, refused: Map<string, string>): Promise<void> {
  for await (const _ of head.body) continue
  begin(response, 'application/x-git-receive-pack-result')
  response.end(head.commands.length ? refusedPush(head, refused) : '')
}

/** Which branches the push really moved is seen in the repository. A fault here does not undo the push. */
async function tell({ options, repo, grant }: Visit, commands: PushCommand[]): Promise<void> {
  // Nobody but the run looks at what is its own.
  if (repo.id === null) return
  try {
    const { branches } = await options.host.mirror(repo)
    const updates = commands
      .filter(({ ref }) => ref.startsWith('refs/heads/'))
      .map((command) => ({
        branch: command.ref.slice('refs/heads/'.length),
        commit: isDeletion(command) ? null : command.new,
      }))
      .filter(({ branch, commit }) => (branches.get(branch) ?? null) === commit)
    if (!updates.length) return
    await options.onPush({ organizationId: repo.organizationId, repoId: repo.id, updates, runId: grant.runId })
  } catch (error) {
    options.onError(error)
  }
}

const reading = (stop: AbortController) => ({ allowForce: false, allowDelete: false, signal: stop.signal })

/** Sent with the first piece of the answer, so that until then it can still become a refusal. */
function begin(response: ServerResponse, type: string): void {
  response.statusCode = 200
  response.setHeader('Content-Type', type)
  response.setHeader('Cache-Control', 'no-cache, max-age=0, must-revalidate')
}

async function* nothing(): AsyncGenerator<Buffer> {}
