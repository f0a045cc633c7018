import type { CompareFile, ComparedFile, FileText } from '#adapters/codehosts/git-store.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { findRange, type InLine } from './read-diff.ts'
import { emptyTree } from './start-git.ts'
import { GitError, runGit } from './run-git.ts'

/** A file as it is on one side of a diff of the same changes. Of a link, what it names. Rejects with a `HostError`. */
export async function readComparedFile(
  repository: string,
  { base, head, side, path }: CompareFile,
  inLine: InLine,
): Promise<ComparedFile> {
  const { from, to } = await findRange(repository, { base, head })
  const commit = side === 'base' ? from : to
  if (commit === emptyTree) return { commit, kind: 'missing' }
  return inLine(async () => ({ commit, ...(await readText(repository, `${commit}:${path}`)) }))
}

/** Of a file that is not there git prints the name that it was asked for. */
const lookBytesMax = 16 * 1024

async function readText(repository: string, revision: string): Promise<FileText> {
  const look = await runGit({
    repository,
    arguments: ['cat-file', '--batch-check=%(objecttype) %(objectsize)', '-z'],
    input: `${revision}\0`,
    outputBytesMax: lookBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  const [, size] = /^blob (\d+)$/.exec(look.stdout.toString('latin1').trim()) ?? []
  if (size === undefined) return { kind: 'missing' }
  if (Number(size) > gitLimits.shownFileBytesMax) return { kind: 'too_large' }
  const { exitCode, stdout, stderr } = await runGit({
    repository,
    arguments: ['cat-file', 'blob', revision],
    outputBytesMax: gitLimits.shownFileBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new GitError('exited', stderr)
  // As git itself tells text from what is none.
  if (stdout.subarray(0, 8_000).includes(0)) return { kind: 'binary' }
  return { kind: 'text', text: stdout.toString('utf8') }
}
