import type { ListedFile } from '#adapters/codehosts/git-store.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { GitError, runGit } from './run-git.ts'

/** All files of a commit, by path; links and submodules are no files. */
export async function listFiles(repository: string, { commit }: { commit: string }): Promise<ListedFile[]> {
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['ls-tree', '-r', '-z', '--full-tree', commit],
    outputBytesMax: gitLimits.filesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (isCut) throw new HostError('too_large', 'The commit holds more files than can be listed.')
  if (exitCode !== 0) throw new GitError('exited', stderr)
  return stdout
    .toString()
    .split('\0')
    .flatMap((entry) => {
      const [whole, id] = /^100\d{3} blob ([0-9a-f]{40,64})\t/.exec(entry) ?? []
      return whole === undefined ? [] : [{ path: entry.slice(whole.length), id: id! }]
    })
}
