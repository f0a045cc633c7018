/**
 * A code host: where repositories and pull requests live. One adapter per product; the built-in one is `local.ts`.
 * Branch names are short (`main`, not `refs/heads/main`); shas are full and lower-case.
 */
import type { Readable } from 'node:stream'
import type { HostActor, HostSubject } from '#base/hosts/host-event.ts'
import type {
  CheckConclusion,
  CheckStatus,
  HostCheck,
  HostComment,
  HostPull,
  HostPullChanges,
  HostPush,
} from '#base/hosts/host-facts.ts'

export type { HostCheck, HostComment, HostPull, HostPullChanges, HostPush } from '#base/hosts/host-facts.ts'

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

export type MirrorOptions = {
  /** Brought here too, though no branch may hold them, such as heads of forks. */
  commits?: readonly string[]
  signal?: AbortSignal
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
  /** Looks at all files that the branch changes then, but for those that are as in a commit of `mustHold` (`needs_person`). */
  inspectFiles?: InspectFiles
  /** Asked right before the branch moves; false leaves it where it is (`lease_lost`). */
  stillAllowed: () => Promise<boolean>
  /** Aborted before the branch moves, the push moves nothing and rejects with the signal's reason. */
  signal?: AbortSignal
  /** Branches that may not move by this. The repository's default branch when not given. */
  protectedBranches?: readonly string[]
}
/** `path`: one under which a file or folder lies, empty for the top folder. Its bytes come in pieces; the end says what is against it. */
export type InspectObject = (object: { id: string; kind: string; path: string }) => ObjectInspector
export type ObjectInspector = { write(piece: Uint8Array): void; end(): string | null | Promise<string | null> }
/** `since`: what they are compared with: where the commit left this branch; where there is none now, this commit. */
export type InspectFiles = {
  since: { branch: string; commit: string | null }
  whyNot: (files: readonly PushedFile[]) => string | null
}
/** Of one that is removed there are no bytes. */
export type PushedFile = { path: string; bytes: number }
export type PushRefusal =
  | 'stale'
  | 'protected'
  | 'drops_work'
  | 'bad_pack'
  | 'holds_secret'
  | 'needs_person'
  | 'too_large'
  | 'storage_full'
  | 'lease_lost'
export type PushResult = { pushed: true } | { pushed: false; reason: PushRefusal; message: string }

export type ListedFile = { path: string; id: string }

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
  readonly code: HostErrorCode
  /** Not before then: the host has had enough of us for now (`rate_limited`). */
  readonly retryAt: Date | undefined
  constructor(code: HostErrorCode, message: string, options: { cause?: unknown; retryAt?: Date } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryAt = options.retryAt
  }
}
/** The built-in host could not be reached from this machine: no fault of a repository or of whoever owns it. */
export class GitHostUnreachable extends HostError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('unavailable', message, options)
  }
}

export type HostErrorCode =
  | 'not_found'
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

export type HostMerge = {
  method: 'merge' | 'squash' | 'rebase'
  /** The merge is refused where the head is another by then (`conflict`). */
  expectedHead: string
  title?: string
  message?: string
}

/** All checks of one commit as they stood at one moment: whoever waits for several looks again. */
export type CheckSet = { commit: string; checks: HostCheck[]; readAt: Date }
/** What we say of a run on a commit; reports of one key are one check that is brought up to date. */
export type CheckReport = {
  key: string
  name: string
  status: CheckStatus
  conclusion: CheckConclusion | null
  title: string
  summary: string
  url: string
}

export type NewComment = {
  /** Hidden in the body: a second comment with it on the same subject takes the place of the first. */
  marker: string
  /** Markdown, of which the host is told no more than it takes. */
  body: string
}
/** On a line that the pull request shows. */
export type NewLineComment = NewComment & { commit: string; path: string; line: number; side: 'base' | 'head' }
export type HostReview = {
  commit: string
  verdict: 'comment' | 'approve' | 'request_changes'
  body: string
  /** On lines that the pull request shows; others are put into the body. */
  comments: { path: string; line: number; side: 'base' | 'head'; body: string }[]
  marker: string
  /** In whose name it stands on a host that knows them: a person of ours, or a run. */
  by?: { userId: number | null; runId: number | null }
}
export type HostIssue = {
  number: number
  url: string
  title: string
  body: string
  state: 'open' | 'closed'
  author: HostActor | null
  labels: string[]
}
/** What somebody may do in a repository. Whoever has `write` may start agents there. */
export type HostPermission = 'none' | 'read' | 'write' | 'admin'

/** What people and programs do around a repository. Each rejects with a `HostError`. */
export interface Forge {
  getPull(repo: RepoRef, number: number): Promise<HostPull>
  /** Whether it goes into its base without conflicts; null where the host does not know yet, and is to be asked again. */
  isMergeable(repo: RepoRef, number: number): Promise<boolean | null>
  updatePull(repo: RepoRef, number: number, changes: HostPullChanges): Promise<HostPull>
  /** Answers the commit that the base is at by it. */
  mergePull(repo: RepoRef, number: number, merge: HostMerge): Promise<{ commit: string }>
  /** Opens a pull request that undoes a merged one, or finds the open one that does. `conflict` where it cannot be undone. */
  revertPull(repo: RepoRef, number: number, words: { title: string; body: string }): Promise<HostPull>
  getIssue(repo: RepoRef, number: number): Promise<HostIssue>
  /**
   * Who has last set this label of an issue, or assigned this account to it, and when; null where that was taken back, or never
   * was. `actor` null: the host does not say. `unsupported` where each is told in the moment that it is done.
   */
  findAssignment(
    repo: RepoRef,
    number: number,
    to: { label: string } | { assigneeId: string },
  ): Promise<{ actor: HostActor | null; at: string } | null>
  /** Oldest first: what is said of the whole, on lines, and in reviews. */
  listComments(repo: RepoRef, on: HostSubject): Promise<HostComment[]>
  saveComment(repo: RepoRef, on: HostSubject, comment: NewComment): Promise<HostComment>
  /** Each time another one; `invalid` where the pull request does not show the line. */
  commentOnLine(repo: RepoRef, number: number, comment: NewLineComment): Promise<HostComment>
  /** Shows whoever wrote a comment that it is being seen to; does nothing where the host has no way. */
  acknowledge(repo: RepoRef, on: HostSubject, commentId: string): Promise<void>
  /** Once for each marker. */
  createReview(repo: RepoRef, number: number, review: HostReview): Promise<{ url: string }>
  listChecks(repo: RepoRef, commit: string): Promise<CheckSet>
  /** The end of what it printed; null where the host does not keep it. */
  readCheckLog(repo: RepoRef, check: HostCheck, options: { bytesMax: number }): Promise<string | null>
  /** False where the host cannot do that. */
  rerunCheck(repo: RepoRef, check: HostCheck): Promise<boolean>
  reportCheck(repo: RepoRef, commit: string, report: CheckReport): Promise<void>
  /** What has lately moved a branch, the newest first, as far as the host keeps that. */
  listPushes(repo: RepoRef, branch: string): Promise<HostPush[]>
  /** Asked of the host, each time. */
  permissionOf(repo: RepoRef, actor: HostActor): Promise<HostPermission>
}

export interface CodeHost extends Forge {
  /** As in USER_<HOST>_ISSUE_COMMENT, lower case: `local`. */
  readonly kind: string
  /**
   * Brings the repository's objects onto this machine, or finds them there. Rejects with a `HostError`, or with the reason
   * of the signal.
   */
  mirror(repo: RepoRef, options?: MirrorOptions): Promise<Mirror>
  push(repo: RepoRef, request: PushRequest): Promise<PushResult>
  /** Whether a pack is sound, and with what the mirror holds all that its commit needs. Nothing of it is kept. */
  check(repo: RepoRef, request: CheckRequest): Promise<CheckResult>
  /** All files of a commit, in the order of their paths; links and submodules are none. `id`: of what they hold. */
  listFiles(repo: RepoRef, of: { commit: string }): Promise<ListedFile[]>
  /** A file as it is in a commit; null where there is none, and of what is no file. Rejects with `invalid` beyond `bytesMax`. */
  readFile(repo: RepoRef, file: { path: string; commit: string; bytesMax: number }): Promise<Buffer | null>
  /** A unified diff of what `head` changed since it left `base` (null: since the empty tree). At most `bytesMax` bytes. */
  diff(repo: RepoRef, compare: { base: string | null; head: string; bytesMax: number }): Promise<string>
  /**
   * Opens a pull request, or finds the open one of this head: then `created` is false. Rejects with a `HostError`, and
   * with a `LeaseLost` once the lease has moved on.
   */
  openPull(repo: RepoRef, pull: OpenPull): Promise<{ pull: PullRequest; created: boolean }>
}
