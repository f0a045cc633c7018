import { askGit } from './ask-git.ts'

const timeoutMs = 10_000

/** The version of the Git that the service starts, such as `2.39.5`; null where it names none. Rejects where there is none. */
export async function getGitVersion(): Promise<string | null> {
  const answer = await askGit({ arguments: ['--version'], timeoutMs })
  return /^git version (\S+)/.exec(answer)?.[1] ?? null
}
