import type { RepoRef } from './code-host.ts'

/** What a pointer file says of a large file. `oid`: the SHA-256 of its content, in hex. */
export type LfsPointer = { oid: string; bytes: number }

/** A pointer file of a commit. */
export type LfsFile = LfsPointer & { path: string }

export type PutLfsObject = LfsPointer & {
  body: AsyncIterable<Uint8Array>
  /** Looks at what comes in, before it stays. */
  inspect?: { write(piece: Uint8Array): void; end(): string | null | Promise<string | null> }
  /** Told how many bytes are about to stay; answers what is against it. May reject too. */
  take: (bytes: number) => Promise<string | null>
  signal?: AbortSignal
}

/** The large files of repositories (Git LFS), each by its digest and within its repository. All reject with a `HostError`. */
export interface LfsStore {
  /** The pointer files of a commit, by path; null where nothing in it says that it uses Git LFS. Of very many, the first. */
  list(repo: RepoRef, of: { commit: string }): Promise<LfsFile[] | null>
  /**
   * Brings those onto this machine that the host has. `folder`: holds them in `objects`, as Git LFS names them,
   * readable for the sandbox; it is there also where it is empty.
   */
  bring(
    repo: RepoRef,
    pointers: readonly LfsPointer[],
    options?: { signal?: AbortSignal },
  ): Promise<{ folder: string; here: Set<string> }>
  /** How large those are that are there, by their oids. */
  find(repo: RepoRef, pointers: readonly LfsPointer[], options?: { signal?: AbortSignal }): Promise<Map<string, number>>
  /** A file of this machine that holds it; null where there is none. It is whole and has this digest. */
  open(
    repo: RepoRef,
    pointer: LfsPointer,
    options?: { signal?: AbortSignal },
  ): Promise<{ file: string; bytes: number } | null>
  /**
   * Stores what comes in, as soon as all of it has come and has this size and digest; else nothing of it stays, and it rejects:
   * `invalid` for other content, `storage_full` where there is no room.
   */
  put(repo: RepoRef, object: PutLfsObject): Promise<void>
}
