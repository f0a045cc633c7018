import { GitError, runGit, type RunGit } from './run-git.ts'

/** Runs git for what it prints. Rejects with a `GitError` when it fails, or prints more than is read. */
export async function askGit(request: RunGit): Promise<string> {
  const { exitCode, stdout, stderr, isCut } = await runGit(request)
  if (isCut) throw new GitError('too_much', '')
  if (exitCode !== 0) throw new GitError('exited', stderr)
  return stdout.toString().trimEnd()
}
