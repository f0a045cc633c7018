import type { RepositoryStore, StoredRepository } from '#domain/repos/repos/repository-store.ts'

export const mergeMethods = ['merge', 'squash', 'rebase'] as const
export type MergeMethod = (typeof mergeMethods)[number]

type ChangedFile = { path: string; previousPath: string | null }

type Prepared =
  | { outcome: 'ready'; commit: string }
  | { outcome: 'conflict'; paths: string[] }
  | { outcome: 'nothing' }
  | { outcome: 'too_many_commits' }
  | { outcome: 'too_large' }

/** What the built-in host does for pull requests. */
export type MergeStore = RepositoryStore & {
  listChangedFiles(repo: StoredRepository, compare: { base: string | null; head: string }): Promise<ChangedFile[]>
  /** Makes the commit that the base would be at, and moves nothing. */
  prepareMerge(
    repo: StoredRepository,
    request: {
      base: string
      head: string
      method: MergeMethod
      message: string
      by: { name: string; email: string }
      at: Date
    },
  ): Promise<Prepared>
  /** Makes the commit on top of `onto` that undoes what led from `before` to `after`, and moves nothing. */
  prepareRevert(
    repo: StoredRepository,
    request: {
      onto: string
      before: string
      after: string
      message: string
      by: { name: string; email: string }
      at: Date
    },
  ): Promise<Prepared>
  /** Moves a branch from where it is expected (null: it must not exist); true also where it holds the commit already. */
  landCommit(
    repo: StoredRepository,
    request: { branch: string; expected: string | null; commit: string },
  ): Promise<boolean>
  /** True once there is no such branch; false where it is at another commit. */
  deleteBranch(repo: StoredRepository, request: { branch: string; expected: string }): Promise<boolean>
}
