import { HostError } from '#adapters/codehosts/code-host.ts'
import { limits } from '#base/limits.ts'
import { isHeldBy } from './prepare-merge.ts'
import { readBranch } from './read-branches.ts'
import { complaintOf, runGit } from './run-git.ts'
import { noCommit } from './start-git.ts'

export type LandCommit = { branch: string; expected: string | null; commit: string }

/** Moves a branch from where it is expected; null: it must not exist. True also where it holds the commit already; false where it went elsewhere. */
export async function landCommit(repository: string, { branch, expected, commit }: LandCommit): Promise<boolean> {
  const { exitCode, stderr } = await runGit({
    repository,
    arguments: ['update-ref', `refs/heads/${branch}`, commit, expected ?? noCommit],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode === 0) return true
  const at = await readBranch(repository, branch)
  if (at === expected) throw new HostError('unavailable', complaintOf(stderr))
  return at !== null && (await isHeldBy(repository, { commit, by: at }))
}
