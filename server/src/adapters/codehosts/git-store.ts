import type { Readable } from 'node:stream'
import type { RepoRef } from './code-host.ts'
import type { LfsStore } from './lfs-store.ts'

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
  /** The host signs the commits, where it can: the branch is moved to what it makes of them. */
  sign?: SignPush
  /** Asked right before the branch moves; false leaves it where it is (`lease_lost`). */
  stillAllowed: () => Promise<boolean>
  /** Aborted before the branch moves, the push moves nothing and rejects with the signal's reason. */
  signal?: AbortSignal
  /** Branches that may not move by this. The repository's default branch when not given. */
  protectedBranches?: readonly string[]
}
/**
 * `since`: what stays as it is, with all that these commits reach. `email`: of the author whose commits are signed. `onSigned` is told
 * of the newest before the branch moves, so that it is known again after a crash.
 */
export type SignPush = { since: readonly string[]; email: string; onSigned: (commit: string) => Promise<void> }
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
/** `commit`: what the branch is at now, which is another one where it was signed. */
export type PushResult = { pushed: true; commit: string } | { pushed: false; reason: PushRefusal; message: string }

/** `folders`: only what lies in them, and not in folders of theirs; the top one is `.`. */
export type ListFiles = { commit: string; folders?: readonly string[] }
export type ListedFile = { path: string; id: string }

/** `url`: as the repository names it, which means nothing yet. `commit`: which is recorded; null where none is. */
export type Submodule = { path: string; url: string | null; commit: string | null }

export type CheckRequest = Pick<PushRequest, 'commit' | 'pack' | 'signal'>
export type CheckResult = { isWhole: true } | { isWhole: false; message: string }

/** `previousPath`: of what was renamed or copied. Lines are null in what is no text, or too large to be compared. */
export type ChangedFile = {
  path: string
  previousPath: string | null
  status: 'added' | 'modified' | 'removed' | 'renamed'
  additions: number | null
  deletions: number | null
}
export type CompareFile = { base: string | null; head: string; side: 'base' | 'head'; path: string }

/** `commit`: which of the two it is read from. */
export type ComparedFile = { commit: string } & FileText
export type FileText = { kind: 'text'; text: string } | { kind: 'binary' | 'too_large' | 'missing' }
export type DeleteBranch = { branch: string; expected: string }

/** The commits, branches and files of repositories, on whichever host they live. */
export interface GitStore {
  readonly lfs: LfsStore
  /**
   * Brings the repository's objects onto this machine, or finds them there. Rejects with a `HostError`, or with the reason
   * of the signal.
   */
  mirror(repo: RepoRef, options?: MirrorOptions): Promise<Mirror>
  push(repo: RepoRef, request: PushRequest): Promise<PushResult>
  /** Whether a pack is sound, and with what the mirror holds all that its commit needs. Nothing of it is kept. */
  check(repo: RepoRef, request: CheckRequest): Promise<CheckResult>
  /** All files of a commit, in the order of their paths; links and submodules are none. `id`: of what they hold. */
  listFiles(repo: RepoRef, of: ListFiles): Promise<ListedFile[]>
  /** What `.gitmodules` names in a commit, as far as its paths are sound; `invalid` where git cannot read it, or it is too long. */
  listSubmodules(repo: RepoRef, of: { commit: string }): Promise<Submodule[]>
  /** The first lines of the newest commits that a commit holds, the newest first; merges are left out. */
  listSubjects(repo: RepoRef, of: { commit: string; count: number }): Promise<string[]>
  /** A file as it is in a commit; null where there is none, and of what is no file. Rejects with `invalid` beyond `bytesMax`. */
  readFile(repo: RepoRef, file: { path: string; commit: string; bytesMax: number }): Promise<Buffer | null>
  /** A unified diff of what `head` changed since it left `base` (null: since the empty tree). At most `bytesMax` bytes. */
  diff(repo: RepoRef, compare: { base: string | null; head: string; bytesMax: number }): Promise<string>
  /** Commits of all branches, by name. Of a repository elsewhere as they were a moment ago. */
  listBranches(repo: RepoRef): Promise<Map<string, string>>
  /** What a diff of the same changes, file by file. */
  listChangedFiles(repo: RepoRef, compare: { base: string | null; head: string }): Promise<ChangedFile[]>
  /** A file as it is on one side of a diff of the same changes. */
  readComparedFile(repo: RepoRef, input: CompareFile): Promise<ComparedFile>
  /** True once there is no such branch; false where it is not at the commit that is expected. */
  deleteBranch(repo: RepoRef, request: DeleteBranch): Promise<boolean>
}
