import { limits } from '#base/limits.ts'
import { GitError, runGit } from './run-git.ts'

const bytesMax = 64 * 1024

/** The first lines of the newest commits, as far as there is room for them. */
export async function listSubjects(
  repository: string,
  { commit, count }: { commit: string; count: number },
): Promise<string[]> {
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['log', `--max-count=${count}`, '--no-merges', '--no-show-signature', '--format=%s', commit, '--'],
    outputBytesMax: bytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0 && !isCut) throw new GitError('exited', stderr)
  return stdout.toString().split('\n').filter(Boolean)
}
