import { HostError } from '#adapters/codehosts/code-host.ts'
import type { ChangedFile } from '#adapters/codehosts/git-store.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { limitComparison } from './limit-comparison.ts'
import { findRange, type InLine, type Range } from './read-diff.ts'
import { remembered } from './remembered.ts'
import { GitError, runGit } from './run-git.ts'

/** Which files `head` changed since it left `base`, by path. Rejects with a `HostError`. */
export async function listChangedFiles(
  repository: string,
  compare: { base: string | null; head: string },
  inLine: InLine,
): Promise<ChangedFile[]> {
  const range = await findRange(repository, compare)
  return remembered(`files ${repository} ${range.from} ${range.to}`, bytesOf, () =>
    inLine(() => readRange(repository, range)),
  )
}

const bytesOf = (files: ChangedFile[]) =>
  files.reduce((bytes, { path, previousPath }) => bytes + 100 + 2 * (path.length + (previousPath?.length ?? 0)), 0)

async function readRange(repository: string, { from, to }: Range): Promise<ChangedFile[]> {
  const { left, options, pathspecs, config } = await limitComparison(repository, { from, to })
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: [
      'diff',
      '--raw',
      '--numstat',
      '-z',
      '--no-ext-diff',
      '--no-textconv',
      ...options,
      from,
      to,
      ...pathspecs,
    ],
    config,
    outputBytesMax: 2 * gitLimits.changesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (isCut) throw new HostError('too_large', 'More files differ than can be listed.')
  if (exitCode !== 0) throw new GitError('exited', stderr)
  const files = readFiles(stdout.toString().split('\0'))
  if (!left.length) return files
  for (const { path, status } of left) {
    files.push({ path, previousPath: null, status: statuses[status]!, additions: null, deletions: null })
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

const statuses: Record<string, ChangedFile['status']> = { A: 'added', D: 'removed', R: 'renamed' }

/** First `:… M`, path (for a rename two) of each file; then, in the same order, `1\t2\tpath` (for a rename two that follow). */
function readFiles(words: string[]): ChangedFile[] {
  const files: ChangedFile[] = []
  let at = 0
  for (; words[at]?.startsWith(':'); at++) {
    const status = statuses[words[at]!.split(' ').at(-1)![0]!] ?? 'modified'
    const previousPath = status === 'renamed' ? words[++at]! : null
    files.push({ path: words[++at]!, previousPath, status, additions: null, deletions: null })
  }
  for (const file of files) {
    const [additions = '', deletions = ''] = (words[at] ?? '').split('\t')
    at += file.previousPath === null ? 1 : 3
    if (additions === '-') continue
    file.additions = Number(additions)
    file.deletions = Number(deletions)
  }
  return files
}
