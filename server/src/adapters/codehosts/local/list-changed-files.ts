import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { findRange } from './read-diff.ts'

/** `previousPath`: of what was renamed or copied. Lines are null in what is no text. */
export type ChangedFile = {
  path: string
  previousPath: string | null
  status: 'added' | 'modified' | 'removed' | 'renamed'
  additions: number | null
  deletions: number | null
}

/** Which files `head` changed since it left `base`, by path. Rejects with a `HostError`. */
export async function listChangedFiles(
  repository: string,
  compare: { base: string | null; head: string },
): Promise<ChangedFile[]> {
  const { from, to } = await findRange(repository, compare)
  const told = await askGit({
    repository,
    arguments: ['diff', '--raw', '--numstat', '-z', '--no-ext-diff', '--no-textconv', from, to],
    outputBytesMax: limits.pushNamesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  return readFiles(told.split('\0'))
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
