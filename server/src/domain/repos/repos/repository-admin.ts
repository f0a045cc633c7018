export type StoredRepository = { organizationId: number; path: string }

/** Reads the branches of a repository. */
export type BranchStore = {
  mirror(repo: StoredRepository): Promise<{ branches: Map<string, string> }>
}

/** Manages the content of the built-in host's repositories. */
export type RepositoryAdmin = {
  createRepository(repo: StoredRepository, options: { defaultBranch: string }): Promise<void>
  /** Rejects with `import_not_allowed` before anything is created. */
  checkSource(organizationId: number, source: string): Promise<void>
  /** Leaves nothing behind if it fails. */
  importRepository(
    repo: StoredRepository,
    source: string,
    options: { signal?: AbortSignal },
  ): Promise<{ defaultBranch: string; importedFrom: string }>
  removeRepository(repo: StoredRepository): Promise<void>
  setDefaultBranch(repo: StoredRepository, branch: string): Promise<void>
  languageOf(repo: StoredRepository): Promise<string | null>
}
