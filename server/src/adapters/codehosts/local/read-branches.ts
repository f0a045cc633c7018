import { askGit } from './ask-git.ts'
import { runGit } from './run-git.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'

/** Commits of all branches, by short name. */
export async function readBranches(repository: string): Promise<Map<string, string>> {
  const format = '%(objectname) %(refname:lstrip=2)'
  const listed = await askGit({
    repository,
    arguments: ['for-each-ref', `--format=${format}`, 'refs/heads/'],
    timeoutMs: limits.gitCommandMs,
  })
  const lines = listed.split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]))
}

/** How many branches, tags and others there are; no more than are counted. */
export async function countRefs(repository: string): Promise<number> {
  const listed = await askGit({
    repository,
    arguments: ['for-each-ref', `--count=${2 * gitLimits.refsMax}`, '--format=.'],
    timeoutMs: limits.gitCommandMs,
  })
  return listed ? listed.split('\n').length : 0
}

/** The commit of one branch; null when there is no such branch. */
export async function readBranch(repository: string, branch: string): Promise<string | null> {
  const { exitCode, stdout } = await runGit({
    repository,
    arguments: ['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${branch}`],
    timeoutMs: limits.gitCommandMs,
  })
  return exitCode === 0 ? stdout.toString().trim() : null
}

/** The branch that HEAD names, whether it exists or not. */
export async function readDefaultBranch(repository: string): Promise<string> {
  const head = await askGit({ repository, arguments: ['symbolic-ref', 'HEAD'], timeoutMs: limits.gitCommandMs })
  return head.replace('refs/heads/', '')
}
