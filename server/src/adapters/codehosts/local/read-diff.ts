import { HostError } from '#adapters/codehosts/code-host.ts'
import { limits } from '#base/limits.ts'
import { runGit } from './run-git.ts'

export type Compare = { base: string | null; head: string; bytesMax: number }

/** The tree of nothing; git knows it in every repository. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** What `head` changed since it left `base`, whatever happened on `base` afterwards. */
export async function readDiff(repository: string, { base, head, bytesMax }: Compare): Promise<string> {
  const { from, to } = await findRange(repository, { base, head })
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['diff', '--no-color', '--no-ext-diff', '--no-textconv', from, to],
    outputBytesMax: bytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new HostError('unavailable', `The diff could not be read: ${stderr.trim()}`)
  return cutText(stdout, { bytesMax, isCut })
}

/** What to compare, to see what `head` changed since it left `base`. Rejects with a `HostError`. */
export async function findRange(
  repository: string,
  { base, head }: Omit<Compare, 'bytesMax'>,
): Promise<{ from: string; to: string }> {
  const to = await commitOf(repository, head)
  const from = base === null ? emptyTree : await findMergeBase(repository, await commitOf(repository, base), to)
  return { from, to }
}

/** Whether `head` has anything that `base` does not: commits, and a change in what they hold. */
export async function hasDiff(repository: string, base: string, head: string): Promise<boolean> {
  const { from, to } = await findRange(repository, { base, head })
  const { exitCode, stderr } = await runGit({
    repository,
    arguments: ['diff', '--quiet', '--no-ext-diff', '--no-textconv', from, to],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode > 1) throw new HostError('unavailable', `The diff could not be read: ${stderr.trim()}`)
  return exitCode === 1
}

/** Of a branch's name or a commit. A branch may look like a commit, and then the commit is meant. */
async function commitOf(repository: string, name: string): Promise<string> {
  const revision = /^[0-9a-f]{40}$/.test(name) ? name : `refs/heads/${name}`
  const { exitCode, stdout } = await runGit({
    repository,
    arguments: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new HostError('not_found', `There is no branch or commit ${name}.`)
  return stdout.toString().trim()
}

/** Histories with nothing in common left each other at nothing. */
async function findMergeBase(repository: string, base: string, head: string): Promise<string> {
  const { exitCode, stdout } = await runGit({
    repository,
    arguments: ['merge-base', base, head],
    timeoutMs: limits.gitCommandMs,
  })
  return exitCode === 0 ? stdout.toString().trim() : emptyTree
}

/** Text may become longer than its bytes were: what is no UTF-8 is replaced by a sign of three. */
function cutText(bytes: Buffer, { bytesMax, isCut }: { bytesMax: number; isCut: boolean }): string {
  const text = Buffer.from(bytes.toString('utf8'))
  if (!isCut && text.length <= bytesMax) return text.toString('utf8')
  const marker = `[cut: the diff is longer than ${bytesMax} bytes]\n`
  const room = Math.max(0, bytesMax - marker.length - 1)
  const kept = text.subarray(0, room)
  const lineEnd = kept.lastIndexOf('\n')
  if (lineEnd >= 0) return kept.subarray(0, lineEnd + 1).toString('utf8') + marker
  return `${wholeCharacters(text, room)}\n${marker}`.slice(0, bytesMax)
}

function wholeCharacters(text: Buffer, bytesMax: number): string {
  let end = Math.min(bytesMax, text.length)
  while (end > 0 && end < text.length && ((text[end] as number) & 0xc0) === 0x80) end--
  return text.subarray(0, end).toString('utf8')
}
