import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import { findOwners } from '#domain/hosts/code-owners/find-owners.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { codeOwnersPaths, readCodeOwners } from '#domain/hosts/code-owners/read-code-owners.ts'

export type FindCodeOwners = {
  git: Pick<GitStore, 'readFile' | 'listChangedFiles'>
  repo: RepoRef
  /** Commits: whose file counts, and what has changed since it left that. */
  base: string
  head: string
}

/** `owners`: as the file writes them, each with the pattern by which. */
export type FoundCodeOwners = { path: string; owners: Map<string, string>; problems: string[] }

/** Who owns what `head` changes, by the CODEOWNERS of `base`; null where that has none. */
export async function findCodeOwners({ git, repo, base, head }: FindCodeOwners): Promise<FoundCodeOwners | null> {
  for (const path of codeOwnersPaths) {
    const nobody = (problem: string) => ({ path, owners: new Map<string, string>(), problems: [problem] })
    const { fileBytesMax: bytesMax } = codeOwnersLimits
    const bytes = await git.readFile(repo, { path, commit: base, bytesMax }).catch(asRefusal)
    if (bytes === null) continue
    if (bytes instanceof HostError) return nobody(`It is larger than ${bytesMax} bytes, so it does not count.`)
    const { rules, problems } = readCodeOwners(bytes)
    const files = rules.length ? await git.listChangedFiles(repo, { base, head }).catch(asRefusal) : []
    if (files instanceof HostError) return nobody('More files are changed than can be listed, so nobody is asked.')
    const paths = files.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]))
    const found = await findOwners(rules, paths)
    return { path, owners: found.owners, problems: [...problems, ...found.problems] }
  }
  return null
}

/** Of a request that would be answered the same later, too. */
function asRefusal(error: unknown): HostError {
  if (
    error instanceof HostError &&
    (error.code === 'invalid' || error.code === 'too_large' || error.code === 'no_diff')
  )
    return error
  throw error
}
