// What is said of all code hosts. Branch names are short (`main`, not `refs/heads/main`); shas are full and lower-case.
export type { HostCheck, HostComment, HostPull, HostPullChanges, HostPush } from '#base/hosts/host-facts.ts'

/**
 * A repository as its host knows it. `path` is the host's own key, such as `7/12.git` of the built-in one; `holder` is the
 * run that asks, where a worker does, and the lease by which it may.
 */
export type RepoRef = { organizationId: number; path: string; holder?: { runId: number; leaseId: string } }

export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: HostErrorCode
  /** Not earlier than that, counted from now: the host has had enough of us (`rate_limited`). */
  readonly retryInMs: number | undefined
  constructor(code: HostErrorCode, message: string, options: { cause?: unknown; retryInMs?: number } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryInMs = options.retryInMs
  }

  /** Whether the same request would be answered the same later too, whatever people change in the host's settings. */
  get isFinal(): boolean {
    return !passing.has(this.code)
  }

  /** Whether it passes by itself: nobody has to change anything. */
  get isPassing(): boolean {
    return !this.isFinal && this.code !== 'forbidden'
  }
}
const passing = new Set<HostErrorCode>(['unavailable', 'rate_limited', 'unauthorized', 'forbidden'])

/** The built-in host could not be reached from this machine: no fault of a repository or of whoever owns it. */
export class GitHostUnreachable extends HostError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('unavailable', message, options)
  }
}

export type HostErrorCode =
  | 'not_found'
  /** Who asks is not known there, or not yet. */
  | 'unauthorized'
  | 'forbidden'
  | 'conflict'
  | 'invalid'
  | 'no_diff'
  | 'protected'
  | 'rate_limited'
  /** It cannot be worked out within the memory and time that is given to it. */
  | 'too_large'
  /** What would come in is more than may be stored. */
  | 'storage_full'
  | 'unsupported'
  | 'unavailable'
