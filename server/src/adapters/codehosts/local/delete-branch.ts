import { HostError } from '#adapters/codehosts/code-host.ts'
import type { DeleteBranch } from '#adapters/codehosts/git-store.ts'
import { limits } from '#base/limits.ts'
import { readBranch } from './read-branches.ts'
import { complaintOf, runGit } from './run-git.ts'

/** True once there is no such branch; false where it is not at the commit that is expected. */
export async function deleteBranch(repository: string, { branch, expected }: DeleteBranch): Promise<boolean> {
  const { exitCode, stderr } = await runGit({
    repository,
    arguments: ['update-ref', '-d', `refs/heads/${branch}`, expected],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode === 0) return true
  const at = await readBranch(repository, branch)
  if (at === expected) throw new HostError('unavailable', complaintOf(stderr))
  return at === null
}
