import { HostError } from '#adapters/codehosts/code-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { complaintOf, runGit } from './run-git.ts'

export type LimitedComparison = {
  /** Files that were added or removed and are too large to be read: `git diff` is kept from them. */
  left: { path: string; status: 'A' | 'D' }[]
  /** Whether any file that differs is too large to be compared by its lines. */
  hasLarge: boolean
  /** What `git diff` is told before and after what it compares. */
  options: string[]
  pathspecs: string[]
  config: [string, string][]
}

/**
 * Looks at what differs before it is compared. To find what was renamed git reads all that was added and removed, whatever
 * size it has, so it is not asked to where one of them is large, or there are many.
 */
export async function limitComparison(
  repository: string,
  { from, to }: { from: string; to: string },
): Promise<LimitedComparison> {
  const listed = await runGit({
    repository,
    arguments: ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to],
    outputBytesMax: gitLimits.changesBytesMax,
    memoryBytesMax: gitLimits.listMemoryBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (listed.isCut) throw new HostError('too_large', 'More files differ than can be compared.')
  if (listed.exitCode !== 0)
    throw new HostError('unavailable', `What differs could not be read: ${complaintOf(listed.stderr)}`)
  const changes = readChanges(listed.stdout)
  const ids = new Set(changes.flatMap(({ ids: both }) => both))
  const large = await findLarge(repository, ids)
  const moved = changes.filter(({ status }) => status === 'A' || status === 'D')
  const left = moved.filter(({ ids: [id = ''] }) => large.has(id)).map(readLeft)
  if (left.length > gitLimits.largeFilesMax)
    throw new HostError('too_large', 'More large files differ than can be told.')
  const findsRenames = moved.length <= 2 * gitLimits.renamesMax && !left.length
  return {
    left,
    hasLarge: large.size > 0,
    options: findsRenames ? ['-M', `-l${gitLimits.renamesMax}`] : ['--no-renames'],
    pathspecs: left.length ? ['--', ...left.map(({ path }) => `:(top,exclude,literal)${path}`)] : [],
    config: [['core.bigFileThreshold', String(gitLimits.comparedFileBytesMax)]],
  }
}

/** A name that is no UTF-8 cannot be told to git. */
function readLeft({ path: bytes, status }: Change): LimitedComparison['left'][number] {
  const path = bytes.toString()
  if (!Buffer.from(path).equals(bytes)) throw new HostError('too_large', 'A large file differs whose name is no text.')
  return { path, status: status === 'A' ? 'A' : 'D' }
}

type Change = { status: string; ids: string[]; path: Buffer }
const nothing = /^0+$/

/** Told as `:<mode> <mode> <id> <id> <status>`, then the path, each with a zero behind it. */
function readChanges(listed: Buffer): Change[] {
  const changes: Change[] = []
  for (let at = 0; at < listed.length;) {
    const end = listed.indexOf(0, at)
    if (end < 0) break
    const [, , before = '', after = '', status = ''] = listed.toString('latin1', at, end).split(' ')
    const next = listed.indexOf(0, end + 1)
    const pathEnd = next < 0 ? listed.length : next
    const ids = [before, after].filter((id) => !nothing.test(id))
    changes.push({ status, ids, path: listed.subarray(end + 1, pathEnd) })
    at = pathEnd + 1
  }
  return changes
}

async function findLarge(repository: string, ids: Set<string>): Promise<Set<string>> {
  const { exitCode, stdout, stderr } = await runGit({
    repository,
    arguments: ['cat-file', '--batch-check=%(objectname) %(objectsize)'],
    input: Array.from(ids, (id) => `${id}\n`).join(''),
    outputBytesMax: 2 * gitLimits.changesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new HostError('unavailable', `What differs could not be read: ${complaintOf(stderr)}`)
  const large = new Set<string>()
  for (const line of stdout.toString('latin1').split('\n')) {
    const [id = '', size] = line.split(' ')
    // What is not here, the commit of a submodule, has no size.
    if (Number(size) > gitLimits.comparedFileBytesMax) large.add(id)
  }
  return large
}
