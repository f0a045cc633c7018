import { GitError, runGit, type RunGit } from './run-git.ts'

/** Runs git for what it prints. Rejects with a `GitError` when it fails. */
export async function askGit(request: RunGit): Promise<string> {
  const { exitCode, stdout, stderr } = await runGit(request)
  if (exitCode !== 0) throw new GitError('exited', stderr)
  return stdout.toString().trimEnd()
}
