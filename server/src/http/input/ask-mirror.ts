import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Mirror } from '#adapters/codehosts/git-store.ts'
import type { CodeHosts } from '#app/code-hosts.ts'
import { AppError } from '#base/errors.ts'

/** The repository as it is on its host now. Throws `storage_full` where a mirror of it has no room for what is new there. */
export async function askMirror({ hosts }: { hosts: Pick<CodeHosts, 'git'> }, repo: RepoRef): Promise<Mirror> {
  try {
    return await hosts.git(repo).mirror(repo)
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'storage_full') throw error
    throw new AppError('storage_full', { message: error.message, cause: error })
  }
}
