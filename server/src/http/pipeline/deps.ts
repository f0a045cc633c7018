import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app/app.ts'
import type { ByteCache } from '#base/byte-cache.ts'
import type { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import type { LogPages } from '#domain/runs/logs/log-pages.ts'
import type { RateLimiter } from '#domain/accounts/rate-limits/rate-limiter.ts'
import type { RecentRuns } from '#domain/runs/runs/recent-runs.ts'
import type { WrongTokens } from './wrong-tokens.ts'

/** What of the app the API uses. */
export type HttpApp = Pick<
  App,
  | 'config'
  | 'publicUrl'
  | 'sshUrl'
  | 'logger'
  | 'clock'
  | 'pool'
  | 'tokenKeys'
  | 'secretBox'
  | 'redactors'
  | 'hosts'
  | 'remoteHosts'
  | 'engines'
  | 'connectMcp'
  | 'sendToModel'
  | 'subscriptions'
  | 'notifier'
  | 'blobs'
  | 'identityProvider'
  | 'webhooks'
  | 'listModels'
  | 'telemetry'
  | 'watchOverview'
>

/** What domain's verbs take first. */
export type HttpDb = Parameters<typeof getOrganization>[0]

/** An answer as it is sent, and the tag that names it. */
export type TaggedAnswer = { tag: string; body: Buffer | string }

/** What was read and answered last; each server has its own. */
export type Recent = { runs: RecentRuns; pages: LogPages; answers: ByteCache<TaggedAnswer> }

/** What a server is built of: the rest it makes itself. */
export type ServerDeps = Omit<HttpDeps, 'wrongTokens'>

export type HttpDeps = {
  app: HttpApp
  rateLimiter: RateLimiter
  wrongTokens: WrongTokens
  /** Answers everything below `/git/`, from the raw streams. */
  gitGateway?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** What keeps the service from working besides the database, a sentence each. */
  problems?: () => Promise<string[]>
  /** Aborted when the server is about to close: from then on each answer asks its client to connect anew. */
  ending?: AbortSignal
  /** How often a stream that has nothing to say says a word; as `limits` says when left out. */
  streamCommentMs?: number
  /** How long the headers of a request, and then its body, may take to arrive; as `limits` says when left out. */
  arrival?: { headersMs: number; bodyMs: number }
}
