import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { GitError } from './run-git.ts'
import { startGit, type RunningGit } from './start-git.ts'

/** All that has a name but for names of our own. */
const named = ['--exclude=refs/internal/*', '--all']

/** A `git bundle` of what has a name in a repository. Null where nothing has, of which git makes none. */
export async function bundleRepository(
  repository: string,
  { signal }: { signal: AbortSignal },
): Promise<RunningGit | null> {
  const { gitCommandMs: timeoutMs } = limits
  const newest = await askGit({ repository, arguments: ['rev-list', '--max-count=1', ...named], timeoutMs, signal })
  if (newest === '') return null
  return startGit({
    repository,
    arguments: ['bundle', 'create', '--quiet', '-', ...named],
    config: [['pack.windowMemory', '64m']],
    memoryBytesMax: limits.unpackMemoryBytesMax,
    cpuSecondsMax: gitLimits.unpackCpuSecondsMax,
    timeoutMs: limits.gitServiceMsMax,
    signal,
  })
}

/** What such a git prints, to its end. Throws where it failed, so that no part of a bundle passes for a whole one. */
export async function* readBundle({ stdout, stdin, ended }: RunningGit): AsyncGenerator<Buffer> {
  stdin.end()
  try {
    yield* stdout as AsyncIterable<Buffer>
  } finally {
    stdout.destroy()
  }
  const end = await ended
  if (end.exitCode !== 0) throw new GitError(end.reason, end.stderr)
}
