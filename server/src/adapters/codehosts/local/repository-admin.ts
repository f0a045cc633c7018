import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Collected, CollectOptions } from './collect-repository.ts'
import type { Imported } from './import-repository.ts'
import type { LandCommit } from './land-commit.ts'
import type { LfsObject } from './list-lfs-objects.ts'
import type { Maintain } from './maintenance.ts'
import type { PreparedMerge, PrepareMerge, PrepareRevert } from './prepare-merge.ts'
import type { ServeGit } from './serve-git.ts'
import type { RunningGit } from './start-git.ts'

/** The folder of this machine with the built-in host's repositories, and with mirrors of others. Only this host has it. */
export interface RepositoryAdmin {
  /** Does nothing where there is one already. */
  createRepository(repo: RepoRef, options: { defaultBranch: string }): Promise<void>
  /** Rejects with `import_not_allowed` for a source that may not be copied; nothing is fetched. */
  checkSource(organizationId: number, source: string): Promise<void>
  /** Copies branches and tags of a URL, or of a path on this machine. Rejects with an `AppError`, and leaves nothing then. */
  importRepository(repo: RepoRef, source: string, options?: { signal?: AbortSignal }): Promise<Imported>
  /** Does nothing where there is none. */
  removeRepository(repo: RepoRef): Promise<void>
  /** With all repositories, mirrors and what runs worked in. Does nothing where there is none. */
  removeOrganization(ids: { organizationId: number }): Promise<void>
  setDefaultBranch(repo: RepoRef, branch: string): Promise<void>
  /** The language that most of the default branch is written in. */
  languageOf(repo: RepoRef): Promise<string | null>
  /** Whether the head has other files than where it left the base. */
  hasDiff(repo: RepoRef, compare: { base: string; head: string }): Promise<boolean>
  /** Makes the commit that a branch would be at after a merge, and moves nothing. */
  prepareMerge(repo: RepoRef, request: PrepareMerge): Promise<PreparedMerge>
  /** Makes the commit that undoes what led from one commit of a branch to a later one, and moves nothing. */
  prepareRevert(repo: RepoRef, request: PrepareRevert): Promise<PreparedMerge>
  /** Moves a branch from where it is expected; true also where it holds the commit already. */
  landCommit(repo: RepoRef, request: LandCommit): Promise<boolean>
  /** Branches, tags and all else that has a name. */
  countRefs(repo: RepoRef): Promise<number>
  /**
   * What a repository takes up on this disk, after what nothing reaches was collected, where it is much and old enough. Null
   * where another process is at work in it, or nothing may be collected now.
   */
  collect(repo: RepoRef, options: CollectOptions): Promise<Collected | null>
  /** Puts packs and refs together in the repositories that were used here since the last time, where they are many; answers which. */
  maintain(options: Maintain): Promise<RepoRef[]>
  /** Takes away what killed processes have left of pushes. */
  sweep(): Promise<void>
  /** A Git bundle of all that has a name in a repository, but for names of our own; nothing where there are none. Rejects where it is not whole. */
  bundle(repo: RepoRef, options: { signal: AbortSignal }): AsyncIterable<Uint8Array>
  /** The large files that a repository has. */
  listLfsObjects(repo: RepoRef): AsyncIterable<LfsObject>
  /** Git's own server program, for the gateway that speaks HTTP. */
  serveGit(repo: RepoRef, request: ServeGit): Promise<RunningGit>
}
