import type { Writable } from 'node:stream'
import type { GitGrant } from '#domain/accounts/tokens/find-git-grant.ts'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import type { RunningGit } from './converse.ts'
import type { GitService } from './git-request.ts'

export type ServeGit = {
  service: GitService
  /** Say which refs there are; answer one request of a client that knows them; or both, one after the other. */
  part: 'refs' | 'request' | 'all'
  protocol: string | null
  allowForce: boolean
  allowDelete: boolean
  /** How many refs a push moves. */
  refs?: number
  signal: AbortSignal
}

/** What git is served with, by HTTP and by SSH alike. */
export type GitParts = {
  serveGit: (repo: GatewayRepo, request: ServeGit) => Promise<RunningGit>
  /** Answers a push, whole. Throws a `Refusal` where that is no push at all. */
  push: (visit: Visit) => Promise<void>
  /** Told what is a fault of ours. */
  onError: (error: unknown) => void
}

/** Where the client hears what git says. */
export type Answer = {
  stream: Writable
  /** Called with what kind of answer it is before its first piece. */
  begin(type: string): void
  /** Whether some of it is on its way: until then it can still become a refusal. */
  isBegun(): boolean
}

/** A client at one repository, and what it may do there. */
export type Visit = {
  parts: GitParts
  repo: GatewayRepo
  grant: GitGrant
  protocol: string | null
  /** What the client sends; read once. */
  readBody: () => AsyncIterable<Buffer>
  /** Whether the client may wait for the answer to a push without ending the body. */
  isOpenEnded: boolean
  answer: Answer
  /** Throws a `Refusal` where the client has lost its right to push since it came. */
  readmit: () => Promise<unknown>
  /** Aborted when the client goes away. */
  gone: AbortSignal
  /** Ends the git that is at work for it: when it goes away, and when what it sends is no good. */
  stop: AbortController
}
