import { runGit } from './run-git.ts'

export type ListPassed = { from: string | undefined; to: string; signal: AbortSignal }

const passedMax = 1_000
const timeoutMs = 60_000

/** The commits that a name has passed on its way, newest first, without those of its ends; no more than are looked at. */
export async function listPassed(repository: string, { from, to, signal }: ListPassed): Promise<string[]> {
  const without = from === undefined ? [] : [`^${from}`]
  const words = ['rev-list', '--first-parent', `--max-count=${passedMax}`, to, ...without]
  const { stdout } = await runGit({ repository, arguments: words, timeoutMs, signal })
  return stdout.toString().split('\n').slice(1).filter(Boolean)
}

/** Whether the repository has this commit. */
export async function holdsCommit(repository: string, commit: string, signal: AbortSignal): Promise<boolean> {
  const words = ['cat-file', '-e', `${commit}^{commit}`]
  return (await runGit({ repository, arguments: words, timeoutMs, signal })).exitCode === 0
}
