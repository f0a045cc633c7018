import { HostError } from '#adapters/codehosts/code-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { limitComparison } from './limit-comparison.ts'
import { remembered } from './remembered.ts'
import { runGit } from './run-git.ts'
import { emptyTree } from './start-git.ts'

export type Compare = { base: string | null; head: string; bytesMax: number }

/** In which what is much work waits for its turn; what is known already does not. */
export type InLine = <T>(work: () => Promise<T>) => Promise<T>

/** What `head` changed since it left `base`, whatever happened on `base` afterwards. */
export async function readDiff(repository: string, { base, head, bytesMax }: Compare, inLine: InLine): Promise<string> {
  const range = await findRange(repository, { base, head })
  return remembered(
    `diff ${repository} ${range.from} ${range.to} ${bytesMax}`,
    (diff) => Buffer.byteLength(diff),
    () => inLine(() => writeDiff(repository, { ...range, bytesMax })),
  )
}

async function writeDiff(repository: string, { from, to, bytesMax }: Range & { bytesMax: number }): Promise<string> {
  const { left, hasLarge, options, pathspecs, config } = await limitComparison(repository, { from, to })
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['diff', '--no-color', '--no-ext-diff', '--no-textconv', ...options, from, to, ...pathspecs],
    config,
    outputBytesMax: bytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new HostError('unavailable', `The diff could not be read: ${stderr.trim()}`)
  const large = hasLarge ? Buffer.from([largeNote, ...left.map(tellLarge)].join('')) : Buffer.alloc(0)
  return cutText(Buffer.concat([large, stdout]), { bytesMax, isCut })
}

const largeNote = `Of files beyond ${gitLimits.comparedFileBytesMax / 2 ** 20} MiB no lines are shown: they are too large to be compared.\n`

/** As git tells of what is no text. */
function tellLarge({ path, status }: { path: string; status: 'A' | 'D' }): string {
  const [before, after] = [quoted(`a/${path}`), quoted(`b/${path}`)]
  const names = status === 'A' ? `/dev/null and ${after}` : `${before} and /dev/null`
  return `diff --git ${before} ${after}\n${status === 'A' ? 'new' : 'deleted'} file\nBinary files ${names} differ\n`
}

/** Line ends would make other lines of it. */
const quoted = (name: string) => (/[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name)

export type Range = { from: string; to: string }

/** What to compare, to see what `head` changed since it left `base`. Rejects with a `HostError`. */
export async function findRange(repository: string, compare: Omit<Compare, 'bytesMax'>): Promise<Range> {
  const { base, head } = compare
  if (!commitId.test(head) || (base !== null && !commitId.test(base))) return readRange(repository, compare)
  return remembered(
    `range ${repository} ${base} ${head}`,
    () => 2 * head.length,
    () => readRange(repository, compare),
  )
}

async function readRange(repository: string, { base, head }: Omit<Compare, 'bytesMax'>): Promise<Range> {
  const to = await commitOf(repository, head)
  const from = base === null ? emptyTree : await findMergeBase(repository, await commitOf(repository, base), to)
  return { from, to }
}

/** Whether `head` has anything that `base` does not: commits, and a change in what they hold. */
export async function hasDiff(repository: string, base: string, head: string): Promise<boolean> {
  const { from, to } = await findRange(repository, { base, head })
  const trees = await askGit({
    repository,
    arguments: ['rev-parse', `${from}^{tree}`, `${to}^{tree}`],
    timeoutMs: limits.gitCommandMs,
  })
  const [before, after] = trees.split('\n')
  return before !== after
}

const commitId = /^[0-9a-f]{40}$/

/** Of a branch's name or a commit. A branch may look like a commit, and then the commit is meant. */
async function commitOf(repository: string, name: string): Promise<string> {
  const revision = commitId.test(name) ? name : `refs/heads/${name}`
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
