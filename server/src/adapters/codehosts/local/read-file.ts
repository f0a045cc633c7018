import { HostError } from '#adapters/codehosts/code-host.ts'
import { limits } from '#base/limits.ts'
import { GitError, runGit } from './run-git.ts'

export type ReadFile = { path: string; commit: string; bytesMax: number }

/** A file as it is in a commit; null where there is none, and of what is no file. */
export async function readFile(repository: string, { path, commit, bytesMax }: ReadFile): Promise<Buffer | null> {
  const ask = (words: string[], outputBytesMax: number) =>
    runGit({
      repository,
      arguments: ['cat-file', ...words, `${commit}:${path}`],
      outputBytesMax,
      timeoutMs: limits.gitCommandMs,
    })
  const kind = await ask(['-t'], 64)
  if (kind.exitCode !== 0 || kind.stdout.toString().trim() !== 'blob') return null
  const { exitCode, stdout, stderr, isCut } = await ask(['blob'], bytesMax)
  if (isCut) throw new HostError('invalid', `${path} is larger than ${bytesMax} bytes.`)
  if (exitCode !== 0) throw new GitError('exited', stderr)
  return stdout
}
