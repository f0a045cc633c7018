import { Octokit } from '@octokit/core'
import { ByteCache } from '#base/byte-cache.ts'
import type { Clock } from '#base/clock.ts'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Dialer } from '#adapters/codehosts/dial-out.ts'
import type { ConnectedRepository, HostAccess, HostConnection } from '#adapters/codehosts/remote-host.ts'
import { codeHostLimits } from '#adapters/codehosts/limits.ts'
import { appToken } from './app-token.ts'
import { hostErrorOf } from './host-error-of.ts'
import { requestJson } from './request-json.ts'
import { openSend, type KeptAnswer } from './send-request.ts'

/** What a request needs of the permissions of an App; a token has what it has. */
export type Need = Partial<Record<Permission, 'read' | 'write'>>
type Permission = 'contents' | 'pull_requests' | 'issues' | 'checks' | 'statuses' | 'actions' | 'metadata'

export type Ask = Octokit['request']

/** A repository, and how to ask about it with no more than is needed. */
export type Reached = ConnectedRepository & { owner: string; repo: string; ask: Ask }

export type ClientOptions = {
  dialer: Dialer
  clock: Clock
  /** Finds out what a repository is connected by. Rejects with a `HostError`. */
  findConnected: (repo: RepoRef) => Promise<ConnectedRepository>
  /** Told that the host lets a connection in no more, in words for people. Never rejects. */
  onRefused: (connection: HostConnection, message: string) => Promise<void>
}

/** Tokens end an hour after they are made; one that is about to is not used any more. */
const tokenRestMs = 5 * 60_000
/** Beyond so many, those that have ended are forgotten. */
const tokensKept = 1_000

/**
 * Reaches GitHub with the credentials of organizations. An App's tokens are made for one repository and what is needed of
 * it, and used until five minutes before their end.
 */
export class GitHubClient {
  readonly dialer: Dialer
  readonly #options: ClientOptions
  readonly #known = new ByteCache<KeptAnswer>(codeHostLimits.hostKeptBytes)
  readonly #askers = new Map<string, { ask: Ask; access: string }>()
  readonly #tokens = new Map<string, { token: Promise<string>; endsAtMs: number }>()

  constructor(options: ClientOptions) {
    this.#options = options
    this.dialer = options.dialer
  }

  /** Rejects with a `HostError`. */
  async reach(ref: RepoRef, need: Need): Promise<Reached> {
    const connected = await this.#options.findConnected(ref)
    const [owner = '', repo = ''] = connected.fullName.split('/')
    const { connection, hostRepoId } = connected
    const ask = await this.askAs(connection, { need, hostRepoId })
    return { ...connected, owner, repo, ask }
  }

  now(): Date {
    return this.#options.clock.now()
  }

  async isApp(ref: RepoRef): Promise<boolean> {
    return 'privateKey' in (await this.#options.findConnected(ref)).connection.credentials
  }

  /** In the name of the connection; of an App's, for one repository or, without an id, for all of its installation. */
  async askAs(connection: HostConnection, at: { need: Need; hostRepoId?: string }): Promise<Ask> {
    const token = await this.tokenOf(connection, at)
    const renew: Renew = () => {
      this.forgetTokens(connection)
      return this.tokenOf(connection, at)
    }
    const refused: Refused = (message) => this.#options.onRefused(connection, message)
    // Octokit hands on what it does not know.
    const request = 'token' in connection.credentials ? { refused } : { refused, renew }
    return this.#asker(connection).defaults({ headers: { authorization: `token ${token}` }, request })
  }

  /** What git and the API take as proof. */
  async tokenOf(connection: HostConnection, at: { need: Need; hostRepoId?: string }): Promise<string> {
    const { credentials } = connection
    if ('token' in credentials) return credentials.token
    const key = JSON.stringify([connection.integrationId, connection.installationId, at.hostRepoId, at.need])
    const nowMs = this.#options.clock.now().getTime()
    const known = this.#tokens.get(key)
    if (known && nowMs < known.endsAtMs - tokenRestMs) return known.token
    const made = {
      token: this.#makeToken(connection, at, (endsAtMs) => (made.endsAtMs = endsAtMs)),
      endsAtMs: Infinity,
    }
    this.#forgetEnded(nowMs)
    this.#tokens.set(key, made)
    try {
      return await made.token
    } catch (error) {
      this.#tokens.delete(key)
      if (isRefused(error)) await this.#options.onRefused(connection, error.message)
      throw error
    }
  }

  /** Git has met a credential that is good no more: an App gets another one, a token stays what it is. */
  async refusedByGit(connection: HostConnection): Promise<void> {
    this.forgetTokens(connection)
    if ('token' in connection.credentials) await this.#options.onRefused(connection, refusedToken)
  }

  /** They may be good no more: the host has refused one, or the installation has changed. */
  forgetTokens({ integrationId }: Pick<HostConnection, 'integrationId'>): void {
    for (const key of this.#tokens.keys()) if (key.startsWith(`[${integrationId},`)) this.#tokens.delete(key)
  }

  #forgetEnded(nowMs: number): void {
    if (this.#tokens.size < tokensKept) return
    for (const [key, { endsAtMs }] of this.#tokens) if (endsAtMs - tokenRestMs < nowMs) this.#tokens.delete(key)
  }

  /** As the App itself, before and beside its installations. */
  askAsApp(access: HostAccess): Ask {
    const { credentials } = access
    if ('token' in credentials) throw new HostError('unsupported', 'A token is no App.')
    const jwt = appToken(credentials, this.#options.clock.now())
    return this.#newAsker(access).defaults({ headers: { authorization: `bearer ${jwt}` } })
  }

  /** Where no credential is asked for. */
  askNobody(access: Pick<HostAccess, 'organizationId' | 'baseUrl'>): Ask {
    return this.#newAsker(access)
  }

  /** With a token that is tried for the first time. */
  askWithToken(access: HostAccess, token: string): Ask {
    return this.#newAsker(access).defaults({ headers: { authorization: `token ${token}` } })
  }

  async #makeToken(
    connection: HostConnection,
    { need, hostRepoId }: { need: Need; hostRepoId?: string },
    tellEnd: (endsAtMs: number) => void,
  ): Promise<string> {
    const { installationId } = connection
    if (installationId === null) throw new HostError('forbidden', 'The GitHub App is not installed on any account yet.')
    const { data } = await this.askAsApp(connection)('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: installationId,
      ...(hostRepoId !== undefined && { repository_ids: [Number(hostRepoId)] }),
      permissions: { metadata: 'read', ...need },
    }).catch((error: unknown) => {
      // Somebody may install it again.
      if (!(error instanceof HostError) || error.code !== 'not_found') throw error
      throw new HostError('forbidden', 'The GitHub App is not installed on this account any more.', { cause: error })
    })
    tellEnd(new Date(data.expires_at).getTime())
    return data.token
  }

  /** One for each connection, so that what it writes waits in one line. */
  #asker(connection: HostConnection): Ask {
    const access = JSON.stringify([connection.baseUrl, connection.installationId])
    const key = `${connection.organizationId}/${connection.integrationId}`
    const known = this.#askers.get(key)
    if (known?.access === access) return known.ask
    const ask = this.#newAsker(connection, (url) => `${key} ${url}`)
    this.#askers.set(key, { ask, access })
    return ask
  }

  /** `keyOf`: under which an answer is kept; none are where it is left out. */
  #newAsker(
    { organizationId, baseUrl }: Pick<HostAccess, 'organizationId' | 'baseUrl'>,
    keyOf?: (url: string) => string,
  ): Ask {
    // GitHub asks for a second between two writes; another server says so itself, where it wants any.
    const writePauseMs = baseUrl === null ? codeHostLimits.hostWritePauseMs : 0
    const octokit = new Octokit({
      baseUrl: baseUrl ?? gitHubUrl,
      userAgent: 'runwright',
      request: {
        fetch: openSend({
          dialer: this.dialer,
          asker: organizationId,
          writePauseMs,
          ...(keyOf && { known: this.#known, keyOf }),
        }),
      },
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    })
    // A token that is refused may have been revoked, or be so new that GitHub does not know it everywhere: it is made anew, once.
    octokit.hook.wrap('request', async (request, sent) => {
      try {
        return await request(sent)
      } catch (error) {
        const { renew } = sent.request as Handed
        if ((error as { status?: number }).status !== 401 || !renew) throw error
        const authorization = `token ${await renew()}`
        return request({ ...sent, headers: { ...sent.headers, authorization } })
      }
    })
    octokit.hook.error('request', async (error, sent) => {
      const found = hostErrorOf(error, this.now())
      const { refused } = sent.request as Handed
      if (isRefused(found)) await refused?.(found.message)
      throw found
    })
    return requestJson(octokit)
  }
}

type Renew = () => Promise<string>
type Refused = (message: string) => Promise<void>
type Handed = { renew?: Renew; refused?: Refused }

/** Whether it is all of the connection that the host does not let in, and not one thing that it may not do. */
function isRefused(error: unknown): error is HostError {
  if (!(error instanceof HostError)) return false
  return error.code === 'unauthorized' || (error.code === 'forbidden' && /suspended|not installed/i.test(error.message))
}

const refusedToken = 'GitHub refuses the token. The credentials of the integration are not good any more.'

const gitHubUrl = 'https://api.github.com'

const quiet = () => {}
