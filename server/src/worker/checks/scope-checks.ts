import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import type { ScopedCheck } from '#domain/hosts/checks/queue-checks.ts'
import type { CheckCommand } from '#domain/repos/environment.ts'
import { inFolder } from '#domain/repos/in-folder.ts'

export type ScopeChecks = {
  git: Pick<GitStore, 'listChangedFiles'>
  repo: RepoRef
  checks: readonly CheckCommand[]
  commit: string
  /** What the commit is compared with; null: everything counts as changed. */
  base: string | null
}

/** Which checks a commit needs: one of a folder only where something in it has changed, and then it is run there. */
export async function scopeChecks({ git, repo, checks, commit, base }: ScopeChecks): Promise<ScopedCheck[]> {
  const isScoped = checks.some(({ path }) => path !== undefined)
  const changed = isScoped && base !== null ? await listChanged({ git, repo, commit, base }) : null
  return checks.map(({ name, command, path }) => {
    if (path === undefined) return { name, command }
    const isTouched = changed === null || changed.some((file) => file.startsWith(`${path}/`))
    return { name, command: inFolder(path, command), skipped: isTouched ? null : `Nothing in ${path} has changed.` }
  })
}

/** Null where that is too much to be listed: then everything is checked. */
async function listChanged({
  git,
  repo,
  commit,
  base,
}: Omit<ScopeChecks, 'checks' | 'base'> & { base: string }): Promise<string[] | null> {
  try {
    const files = await git.listChangedFiles(repo, { base, head: commit })
    return files.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]))
  } catch (error) {
    if (error instanceof HostError && (error.code === 'too_large' || error.code === 'no_diff')) return null
    throw error
  }
}
