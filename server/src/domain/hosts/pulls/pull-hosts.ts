import type { HostPull, HostPullChanges } from '#base/hosts/host-facts.ts'
import type { BranchStore, RepositoryAdmin, StoredRepository } from '#domain/repos/repos/repository-admin.ts'

export const mergeMethods = ['merge', 'squash', 'rebase'] as const
export type MergeMethod = (typeof mergeMethods)[number]

type NewCommit = { message: string; by: { name: string; email: string }; at: Date }
/** What came of making a commit that no branch holds yet. */
export type Prepared =
  | { outcome: 'ready'; commit: string }
  | { outcome: 'conflict'; paths: string[] }
  | { outcome: 'nothing' }
  | { outcome: 'too_many_commits' }
  | { outcome: 'too_large' }

/** What the built-in host does for pull requests. */
export type MergeAdmin = Pick<RepositoryAdmin, 'languageOf' | 'setDefaultBranch'> & {
  /** Makes the commit that the base would be at, and moves nothing. */
  prepareMerge(
    repo: StoredRepository,
    request: NewCommit & { base: string; head: string; method: MergeMethod },
  ): Promise<Prepared>
  /** Makes the commit on top of `onto` that undoes what led from `before` to `after`, and moves nothing. */
  prepareRevert(
    repo: StoredRepository,
    request: NewCommit & { onto: string; before: string; after: string },
  ): Promise<Prepared>
  /** Moves a branch from where it is expected (null: it must not exist); true also where it holds the commit already. */
  landCommit(
    repo: StoredRepository,
    request: { branch: string; expected: string | null; commit: string },
  ): Promise<boolean>
}

export type BranchDeleter = {
  /** True once there is no such branch; false where it is at another commit. */
  deleteBranch(repo: StoredRepository, request: { branch: string; expected: string }): Promise<boolean>
}

export type PullMerge = { method: MergeMethod; expectedHead: string; title?: string; message?: string }

/** What any host does for its pull requests. */
export type PullForge = {
  getPull(repo: StoredRepository, number: number): Promise<HostPull>
  updatePull(repo: StoredRepository, number: number, changes: HostPullChanges): Promise<HostPull>
  mergePull(repo: StoredRepository, number: number, merge: PullMerge): Promise<{ commit: string | null }>
  revertPull(repo: StoredRepository, number: number, words: { title: string; body: string }): Promise<HostPull>
}

/** The hosts of all repositories, as far as pushes concern them. */
export type PushHosts = {
  git(repo: StoredRepository): BranchStore
  admin: Pick<RepositoryAdmin, 'languageOf' | 'setDefaultBranch'>
}
/** The same for pull requests. */
export type PullHosts = {
  git(repo: StoredRepository): BranchStore & BranchDeleter
  forge(repo: StoredRepository): PullForge
  admin: MergeAdmin
}
