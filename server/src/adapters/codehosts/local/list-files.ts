import type { ListedFile, ListFiles } from '#adapters/codehosts/git-store.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { GitError, runGit } from './run-git.ts'

/** Files of a commit, by path; links and submodules are no files. */
export async function listFiles(repository: string, { commit, folders }: ListFiles): Promise<ListedFile[]> {
  const within = folders ? folders.map((folder) => `${folder}/`) : ['-r']
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['ls-tree', '-z', '--full-tree', ...(folders ? [commit, ...within] : [...within, commit])],
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
