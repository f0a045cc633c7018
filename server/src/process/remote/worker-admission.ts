import { createHash } from 'node:crypto'
import { TokenBucket } from '#base/concurrency/token-bucket.ts'
import type { Logger } from '#base/logger.ts'
import { tokenEnds } from '#domain/accounts/tokens/token-text.ts'
import type { WorkerGrant } from '#domain/runs/worker-tokens/find-worker-grant.ts'

/** Connections with tokens of one organization, and with one token for all of them. */
const OF_ORGANIZATION_MAX = 50
const OF_TOKEN_MAX = 1_000
/** How often these may connect: a fleet at once, as when the service was away, and then a few more. */
const ofOrganizationPace = { perSecond: 0.5, atOnce: OF_ORGANIZATION_MAX * 3 }
const ofTokenPace = { perSecond: 10, atOnce: OF_TOKEN_MAX * 3 }
/** Tokens that were not seen good lately are looked up this often, whoever shows them. */
const lookUpPace = { perSecond: 10, atOnce: 100 }
/** One that was refused is refused for so long without a look at the database. */
const REFUSED_MS = 60_000
const REMEMBERED_MAX = 1_000
const LOGGED_MS = 60_000

export type WorkerAdmissionOptions = {
  find: (secret: string) => Promise<WorkerGrant | undefined>
  logger: Logger
  /** Milliseconds of a clock that never steps back. */
  now?: () => number
}

export type Admitted = { grant: WorkerGrant; leave: () => void }
export type Refused = { status: '401 Unauthorized' | '429 Too Many Requests' | '503 Service Unavailable' }

/** Lets remote workers in that show a good token, while they are not too many and do not come too often. */
export class WorkerAdmission {
  readonly #find: WorkerAdmissionOptions['find']
  readonly #logger: Logger
  readonly #now: () => number
  readonly #lookUps: TokenBucket
  readonly #paces = new Map<string, TokenBucket>()
  readonly #open = new Map<string, number>()
  /** By digests of tokens: until when they are refused, and those that were good. */
  readonly #refused = new Map<string, number>()
  readonly #good = new Map<string, true>()
  /** By the reason: how many were turned away since that was logged. */
  readonly #unlogged = new Map<string, { count: number; loggedAt: number }>()

  constructor({ find, logger, now = () => performance.now() }: WorkerAdmissionOptions) {
    this.#find = find
    this.#logger = logger
    this.#now = now
    this.#lookUps = new TokenBucket(lookUpPace, now)
  }

  /** Whoever is let in leaves when its connection has ended. Never rejects. */
  async enter(secret: string): Promise<Admitted | Refused> {
    const digest = createHash('sha256').update(secret).digest('base64')
    if ((this.#refused.get(digest) ?? 0) > this.#now()) return this.#refuse('401 Unauthorized', secret)
    if (!this.#good.has(digest) && this.#lookUps.take(1) > 0) return this.#refuse('429 Too Many Requests', secret)
    const grant = await this.#find(secret).catch(() => null)
    if (grant === null) return this.#refuse('503 Service Unavailable', secret)
    if (!grant) {
      this.#good.delete(digest)
      keep(this.#refused, digest, this.#now() + REFUSED_MS)
      return this.#refuse('401 Unauthorized', secret)
    }
    keep(this.#good, digest, true)
    return this.#count(grant) ?? this.#refuse('429 Too Many Requests', secret)
  }

  /** Undefined where there are too many already, or one has come too soon. */
  #count(grant: WorkerGrant): Admitted | undefined {
    const isOfOne = grant.organizationId !== null
    const owner = isOfOne ? `organization ${grant.organizationId}` : `token ${grant.tokenId}`
    const open = this.#open.get(owner) ?? 0
    if (open >= (isOfOne ? OF_ORGANIZATION_MAX : OF_TOKEN_MAX)) return undefined
    const pace = this.#paces.get(owner) ?? new TokenBucket(isOfOne ? ofOrganizationPace : ofTokenPace, this.#now)
    keep(this.#paces, owner, pace)
    if (pace.take(1) > 0) return undefined
    this.#open.set(owner, open + 1)
    const leave = () => {
      const left = this.#open.get(owner)! - 1
      if (left > 0) this.#open.set(owner, left)
      else this.#open.delete(owner)
    }
    return { grant, leave }
  }

  /** However often they come, a line in the log says so once a minute. */
  #refuse(status: Refused['status'], secret: string): Refused {
    const before = this.#unlogged.get(status)
    const count = (before?.count ?? 0) + 1
    const isDue = !before || this.#now() - before.loggedAt >= LOGGED_MS
    this.#unlogged.set(status, isDue ? { count: 0, loggedAt: this.#now() } : { ...before, count })
    if (isDue) {
      const facts = { event: 'remote_worker_refused', status, attempts: count, token: `${tokenEnds(secret)[0]}…` }
      this.#logger.warn(facts, 'remote workers are turned away; this is said once a minute')
    }
    return { status }
  }
}

/** The oldest makes room. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  const oldest = map.keys().next()
  if (map.size >= REMEMBERED_MAX && !oldest.done) map.delete(oldest.value)
  map.set(key, value)
}
