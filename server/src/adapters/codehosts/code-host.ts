/**
 * A code host: where repositories and pull requests live. One adapter per product; the built-in one is `local.ts`.
 * Branch names are short (`main`, not `refs/heads/main`); shas are full and lower-case.
 */
import type { Readable } from 'node:stream'

/**
 * A repository as its host knows it. `path` is the host's own key, such as `7/12.git` of the built-in one; `holder` is the
 * run that asks, where a worker does, and the lease by which it may.
 */
export type RepoRef = { organizationId: number; path: string; holder?: { runId: number; leaseId: string } }

export type Mirror = {
  /** A folder of git objects on this machine, readable for the sandbox, that holds all that branches reach. */
  objectsPath: string
  /** Commits of all branches, by name. Empty for an empty repository. */
  branches: Map<string, string>
}

export type PushRequest = {
  branch: string
  /** What the branch is at now; null when it must not exist. The branch moves by compare-and-swap. */
  expected: string | null
  commit: string
  /** A git pack with everything that `commit` needs and the mirror does not hold. Checked before anything moves. */
  pack: Readable
  /** Commits that the branch must go on holding, such as what others pushed to it (`drops_work`). */
  mustHold?: readonly string[]
  /** Looks at each object that no branch holds yet, before anything moves (`holds_secret`). */
  inspect?: InspectObject
  /** Asked right before the branch moves; false leaves it where it is (`lease_lost`). */
  stillAllowed: () => Promise<boolean>
  /** Aborted before the branch moves, the push moves nothing and rejects with the signal's reason. */
  signal?: AbortSignal
  /** Branches that may not move by this. The repository's default branch when not given. */
  protectedBranches?: readonly string[]
}
/** `path`: one under which a file or folder lies, empty for the top folder. Its bytes come in pieces; the end says what is against it. */
export type InspectObject = (object: { id: string; kind: string; path: string }) => ObjectInspector
export type ObjectInspector = { write(piece: Uint8Array): void; end(): string | null }
export type PushRefusal =
  | 'stale'
  | 'protected'
  | 'drops_work'
  | 'bad_pack'
  | 'holds_secret'
  | 'too_large'
  | 'lease_lost'
export type PushResult = { pushed: true } | { pushed: false; reason: PushRefusal; message: string }

export type CheckRequest = Pick<PushRequest, 'commit' | 'pack' | 'signal'>
export type CheckResult = { isWhole: true } | { isWhole: false; message: string }

export type PullRequest = {
  id: number
  number: number
  title: string
  body: string
  url: string
  headBranch: string
  baseBranch: string
  state: 'open' | 'closed'
  merged: boolean
  createdAt: Date
}
export type OpenPull = {
  repoId: number
  runId: number
  title: string
  body: string
  headBranch: string
  baseBranch: string
  headCommit: string
  /** By which a worker holds the run; nothing is opened once it does not. */
  leaseId?: string
}

export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: 'not_found' | 'forbidden' | 'no_diff' | 'protected' | 'unavailable'
  constructor(code: HostError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

export interface CodeHost {
  /** As in USER_<HOST>_ISSUE_COMMENT, lower case: `local`. */
  readonly kind: string
  /**
   * Brings the repository's objects onto this machine, or finds them there. Rejects with a `HostError`, or with the reason
   * of the signal.
   */
  mirror(repo: RepoRef, options?: { signal?: AbortSignal }): Promise<Mirror>
  push(repo: RepoRef, request: PushRequest): Promise<PushResult>
  /** Whether a pack is sound, and with what the mirror holds all that its commit needs. Nothing of it is kept. */
  check(repo: RepoRef, request: CheckRequest): Promise<CheckResult>
  /** A unified diff of what `head` changed since it left `base` (null: since the empty tree). At most `bytesMax` bytes. */
  diff(repo: RepoRef, compare: { base: string | null; head: string; bytesMax: number }): Promise<string>
  /**
   * Opens a pull request, or finds the open one of this head: then `created` is false. Rejects with a `HostError`, and
   * with a `LeaseLost` once the lease has moved on.
   */
  openPull(repo: RepoRef, pull: OpenPull): Promise<{ pull: PullRequest; created: boolean }>
}
