import { execFileSync } from 'node:child_process'
import { UsageError } from './settings.ts'

/** The remote that a folder gets, by which it pushes to the service and pulls from it. */
const remote = 'runwright'

/**
 * Reads the token when git asks for it, so that it is stored nowhere and on no command line. One of `git config`: empty first,
 * because other helpers would be offered the token to keep.
 */
const helper = '!f() { echo username=runwright; echo "password=$RUNWRIGHT_TOKEN"; }; f'

/** Throws a `UsageError` that says what to type, for a folder without commits or without a branch. */
export function requireCommits(folder: string): void {
  if (tryGit(folder, ['rev-parse', '--git-dir']) === undefined)
    throw new UsageError(
      `${folder} is not a Git repository. Type: git init && git add -A && git commit -m "First commit"`,
    )
  if (tryGit(folder, ['rev-parse', '--verify', 'HEAD']) === undefined)
    throw new UsageError(`${folder} has no commits yet. Type: git add -A && git commit -m "First commit"`)
  if (tryGit(folder, ['symbolic-ref', '-q', 'HEAD']) === undefined)
    throw new UsageError(`${folder} has no branch checked out. Type: git switch main`)
  if (tryGit(folder, ['remote', 'get-url', remote]) !== undefined)
    throw new UsageError(`${folder} already has a remote "${remote}". Type: git remote remove ${remote}`)
}

/** Pushes the branch that is checked out, and leaves a remote behind for later. Throws a `UsageError` with what git said. */
export function pushFolder(folder: string, gitUrl: string): { branch: string; remote: string } {
  const branch = git(folder, ['symbolic-ref', '--short', 'HEAD'])
  const { origin } = new URL(gitUrl)
  git(folder, ['remote', 'add', remote, gitUrl])
  git(folder, ['config', '--replace-all', `credential.${origin}.helper`, ''])
  git(folder, ['config', '--add', `credential.${origin}.helper`, helper])
  git(folder, ['push', '-q', '-u', remote, branch])
  return { branch, remote }
}

function tryGit(folder: string, words: string[]): string | undefined {
  try {
    return git(folder, words)
  } catch {
    return undefined
  }
}

function git(folder: string, words: string[]): string {
  try {
    return execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new UsageError(`git ${words[0]} failed: ${stderr?.trim() || message}`)
  }
}
