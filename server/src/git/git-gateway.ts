import type { IncomingMessage, ServerResponse } from 'node:http'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { limits } from '#base/limits.ts'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import type { GitGrant } from '#domain/accounts/tokens/find-git-grant.ts'
import { begin } from './begin.ts'
import { converse, type RunningGit } from './converse.ts'
import { isLfs, readBody, readProtocol, Refusal, upTo } from './git-request.ts'
import type { GitRequest, GitService, LfsCall } from './git-request.ts'
import { refuseLfs } from './lfs-answer.ts'
import { flushPacket, packetLine } from './packet-line.ts'

export type ServeGit = {
  service: GitService
  advertise: boolean
  protocol: string | null
  allowForce: boolean
  allowDelete: boolean
  /** How many refs a push moves. */
  refs?: number
  signal: AbortSignal
}

/** What a client asks for, and what it may do. */
export type Admitted = { gitRequest: GitRequest; repo: GatewayRepo; grant: GitGrant }

export type GitGatewayOptions = {
  /** Throws a `Refusal` where nothing of it is answered. */
  admit(request: IncomingMessage): Promise<Admitted>
  serveGit(repo: GatewayRepo, request: ServeGit): Promise<RunningGit>
  /** Answers a push, whole. Throws a `Refusal` where that is no push at all. */
  push(visit: Visit): Promise<void>
  /** Answers what a client of Git LFS asks for, likewise. */
  lfs(visit: Visit, call: LfsCall): Promise<void>
  /** Told what is a fault of ours. */
  onError(error: unknown): void
}

export type Visit = Admitted & {
  options: GitGatewayOptions
  request: IncomingMessage
  response: ServerResponse
  /** Aborted when the client goes away. */
  gone: AbortSignal
  /** Ends the git that is at work for it: when it goes away, and when what it sends is no good. */
  stop: AbortController
}

/** Git's smart HTTP protocol below `/git/`: clone, fetch and push. */
export function gitGateway(
  options: GitGatewayOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const [left, stop] = [new AbortController(), new AbortController()]
    response.on('close', () => {
      left.abort()
      stop.abort()
    })
    const gone = left.signal
    try {
      const visit = { options, request, response, gone, stop, ...(await options.admit(request)) }
      const { gitRequest } = visit
      if ('lfs' in gitRequest) await options.lfs(visit, gitRequest.lfs)
      else if (gitRequest.advertise) await advertise(visit, gitRequest.service)
      else await (gitRequest.service === 'upload-pack' ? fetch(visit) : options.push(visit))
    } catch (error) {
      if (gone.aborted) return
      if (!(error instanceof Refusal)) options.onError(error)
      if (isLfs(request)) refuseLfs(response, refusalOf(error))
      else refuse(response, refusalOf(error))
    }
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HostError) return new Refusal(502, error.message)
  return new Refusal(500, 'Something went wrong on our side.')
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

async function advertise({ options, request, response, repo, stop }: Visit, service: GitService): Promise<void> {
  const protocol = service === 'upload-pack' ? readProtocol(request) : null
  const git = await options.serveGit(repo, { ...reading(stop), service, advertise: true, protocol })
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
  const git = await options.serveGit(repo, {
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

const reading = (stop: AbortController) => ({ allowForce: false, allowDelete: false, signal: stop.signal })

async function* nothing(): AsyncGenerator<Buffer> {}
