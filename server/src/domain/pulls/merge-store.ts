import type { RepositoryStore, StoredRepository } from '#domain/repos/repository-store.ts'

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
  /** Moves a branch from where it is expected; true also where it holds the commit already. */
  landCommit(repo: StoredRepository, request: { branch: string; expected: string; commit: string }): Promise<boolean>
}
