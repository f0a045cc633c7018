import { Readable } from 'node:stream'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { SignedCommit, UnsignedCommit } from '#adapters/codehosts/remote-host.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { GitError, runGit } from './run-git.ts'

export type SignCommits = {
  repository: string
  commit: string
  /** The branch that it is for, which may hold the same commits unsigned. */
  branch: string
  /** What stays as it is, with all that these reach; what other branches hold does too. */
  since: readonly string[]
  /** Whose commits are signed: those of others would bear our name. */
  email: string
  /** Makes a commit at the host; null where it does not sign it. */
  sign: (commit: UnsignedCommit) => Promise<SignedCommit | null>
  /** Brings a commit there that was made here, since others are made on it. */
  bring: (commit: string) => Promise<void>
}

/**
 * Makes commits again as their host signs them, the oldest first, each with the same tree and message, and answers the newest. Nothing
 * points at them yet. Answers the commit as it is where there is nothing to sign, more than can be asked for, or the host does not sign.
 */
export async function signCommits({
  repository,
  commit,
  branch,
  since,
  email,
  sign,
  bring,
}: SignCommits): Promise<string> {
  const others = [...since, `--exclude=${branch}`, '--branches']
  const ours = await askGit({
    repository,
    arguments: ['rev-list', '--reverse', '--topo-order', '--ignore-missing', commit, '--not', ...others],
    timeoutMs: limits.gitCommandMs,
  })
  const ids = ours.split('\n').filter(Boolean)
  if (ids.length > hostLimits.signedCommitsMax) return commit
  const made = new Map<string, string>()
  for (const id of ids) {
    const read = await readCommit(repository, id)
    const parents = read.parents.map((parent) => made.get(parent) ?? parent)
    const isSame = parents.every((parent, at) => parent === read.parents[at])
    if (isSame && (read.isSigned || read.email !== email)) continue
    if (read.email !== email || read.message === null) {
      const moved = await writeText(repository, read.withParents(parents))
      await bring(moved)
      made.set(id, moved)
      continue
    }
    const signed = await sign({ tree: read.tree, parents, message: read.message })
    if (!signed) return commit
    const written = await writeText(repository, Buffer.from(signed.text))
    const { tree, parents: theirs } = await readCommit(repository, written)
    if (written !== signed.id || tree !== read.tree || theirs.join() !== parents.join())
      throw new HostError('unavailable', 'The code host answered a signed commit that is not the one it was asked for.')
    made.set(id, written)
  }
  return made.get(commit) ?? commit
}

type ReadCommit = {
  tree: string
  parents: string[]
  /** Of its author. */
  email: string
  isSigned: boolean
  /** Null where there is none, or it is not UTF-8: the host could not be asked for it. */
  message: string | null
  /** The same with other parents, and so without a signature. */
  withParents: (parents: readonly string[]) => Buffer
}

async function readCommit(repository: string, id: string): Promise<ReadCommit> {
  const { exitCode, stdout, stderr } = await runGit({
    repository,
    arguments: ['cat-file', 'commit', id],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new GitError('exited', stderr)
  const end = stdout.indexOf('\n\n')
  const head = stdout.subarray(0, end).toString('latin1')
  // A line that begins with a space goes on with the one before.
  const lines = head.split(/\n(?! )/)
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  const body = stdout.subarray(end)
  const message = body.subarray(2).toString('utf8')
  const isText =
    message.trim() !== '' && Buffer.from(message, 'utf8').equals(body.subarray(2)) && valuesOf('encoding').length === 0
  return {
    tree: valuesOf('tree')[0] ?? '',
    parents: valuesOf('parent'),
    email: /<([^<>]*)> \d+ [+-]\d+$/.exec(valuesOf('author')[0] ?? '')?.[1] ?? '',
    isSigned: lines.some((line) => line.startsWith('gpgsig')),
    message: isText ? message : null,
    withParents: (parents) => {
      const [tree = '', ...rest] = lines.filter((line) => !/^(?:parent |gpgsig)/.test(line))
      const changed = [tree, ...parents.map((parent) => `parent ${parent}`), ...rest].join('\n')
      return Buffer.concat([Buffer.from(changed, 'latin1'), body])
    },
  }
}

function writeText(repository: string, text: Buffer): Promise<string> {
  return askGit({
    repository,
    arguments: ['hash-object', '-t', 'commit', '-w', '--stdin'],
    input: Readable.from([text], { objectMode: false }),
    timeoutMs: limits.gitCommandMs,
  })
}
