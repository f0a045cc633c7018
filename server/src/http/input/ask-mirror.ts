import { HostError, type Mirror, type RepoRef } from '#adapters/codehosts/code-host.ts'
import { AppError } from '#base/errors.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'

/** The repository as it is on its host now. Throws `storage_full` where a mirror of it has no room for what is new there. */
export async function askMirror({ host }: Pick<HttpApp, 'host'>, repo: RepoRef): Promise<Mirror> {
  try {
    return await host.mirror(repo)
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'storage_full') throw error
    throw new AppError('storage_full', { message: error.message, cause: error })
  }
}
