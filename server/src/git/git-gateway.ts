import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import type { GitGrant } from '#domain/accounts/tokens/find-git-grant.ts'
import { begin } from './begin.ts'
import { converse } from './converse.ts'
import { isLfs, readBody, readProtocol, Refusal } from './git-request.ts'
import type { GitRequest, GitService, LfsCall } from './git-request.ts'
import { refuseLfs } from './lfs-answer.ts'
import { flushPacket, packetLine } from './packet-line.ts'
import { refusalOf } from './refusal-of.ts'
import { reading, serveFetch } from './serve-fetch.ts'
import type { GitParts, Visit } from './visit.ts'

/** What a client asks for, and what it may do. */
export type Admitted = { gitRequest: GitRequest; repo: GatewayRepo; grant: GitGrant }

export type GitGatewayOptions = GitParts & {
  /** Throws a `Refusal` where nothing of it is answered. */
  admit(request: IncomingMessage): Promise<Admitted>
  /** Answers what a client of Git LFS asks for, whole. */
  lfs(visit: HttpVisit, call: LfsCall): Promise<void>
}

export type HttpVisit = Visit & { request: IncomingMessage; response: ServerResponse }

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
      const { gitRequest, repo, grant } = await options.admit(request)
      const visit: HttpVisit = {
        parts: options,
        repo,
        grant,
        gone,
        stop,
        request,
        response,
        protocol: readProtocol(request),
        readBody: () => readBody(request, gone),
        isOpenEnded: false,
        answer: {
          stream: response,
          begin: (type) => begin(response, type),
          isBegun: () => response.headersSent,
        },
        // While a large pack comes in a run may be taken from its worker.
        readmit: async () => grant.runId !== null && options.admit(request),
      }
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

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  // Half an answer cannot be taken back; a broken connection tells the client that it is not whole.
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers })
  response.end(`${message}\n`)
}

async function advertise({ parts, response, repo, stop, ...visit }: HttpVisit, service: GitService): Promise<void> {
  const protocol = service === 'upload-pack' ? visit.protocol : null
  const git = await parts.serveGit(repo, { ...reading(stop), service, part: 'refs', protocol })
  begin(response, `application/x-git-${service}-advertisement`)
  if (!protocol?.split(':').includes('version=2')) {
    response.write(Buffer.concat([packetLine(`# service=git-${service}\n`), Buffer.from(flushPacket)]))
  }
  const end = await converse(git, { body: nothing(), answer: response, stop })
  if (end.exitCode !== 0) throw new Error(`git ${service} could not list refs: ${end.stderr}`)
  response.end()
}

async function fetch(visit: HttpVisit): Promise<void> {
  const { response } = visit
  const end = await serveFetch(visit, 'request')
  // What git has against a request it says in its answer; without one the request was no request.
  if (end.exitCode !== 0 && !response.headersSent) throw new Refusal(400, 'The request is not understood.')
  response.end()
}

async function* nothing(): AsyncGenerator<Buffer> {}
