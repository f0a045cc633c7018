import { HostError } from '#adapters/codehosts/code-host.ts'
import type { InspectFiles, PushedFile } from '#adapters/codehosts/git-store.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { emptyTree } from './start-git.ts'
import { complaintOf, runGit, type RunGit } from './run-git.ts'

export type ListPushedFiles = {
  /** Where the objects are: what all these git commands have in common. */
  at: (words: string[]) => RunGit
  commit: string
  since: InspectFiles['since']
  /** Commits whose files are accepted as they are there. */
  known: readonly string[]
}

/**
 * Which files a commit changes against where it left a branch as that stands now: what it has taken over from the branch
 * meanwhile is not its own. Who renames a file removes one and adds another.
 */
export async function listPushedFiles({ at, commit, since, known }: ListPushedFiles): Promise<PushedFile[]> {
  let changed = await listChanges(at, await findBase(at, { commit, since }), commit)
  for (const accepted of known) {
    const others = new Set((await listChanges(at, accepted, commit)).map(({ path }) => path))
    changed = changed.filter(({ path }) => others.has(path))
  }
  const input = changed.map(({ id }) => `${id}\n`).join('')
  const sizes = (await ask({ ...at(['cat-file', '--batch-check=%(objectsize)']), input })).split('\n')
  // What is removed, and the commit of a submodule, is not there and has no size.
  return changed.map(({ path }, index) => ({ path, bytes: Number(/^\d+$/.exec(sizes[index] ?? '')?.[0] ?? 0) }))
}

async function findBase(
  at: ListPushedFiles['at'],
  { commit, since }: Pick<ListPushedFiles, 'commit' | 'since'>,
): Promise<string> {
  const branch = await runGit(at(['rev-parse', '-q', '--verify', `refs/heads/${since.branch}^{commit}`]))
  const base = branch.exitCode === 0 ? branch.stdout.toString().trim() : since.commit
  if (base === null) return emptyTree
  const left = await runGit(at(['merge-base', base, commit]))
  return left.exitCode === 0 ? left.stdout.toString().trim() : emptyTree
}

type Change = { path: string; id: string }

/** Told as `:<mode> <mode> <id> <id> <status>`, then the path. */
async function listChanges(at: ListPushedFiles['at'], from: string, to: string): Promise<Change[]> {
  const words = await ask(at(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to]))
  return Array.from(words.matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\0([^\0]+)\0/g), ([, id, path]) => ({
    path: path!,
    id: id!,
  }))
}

async function ask(request: RunGit): Promise<string> {
  const { exitCode, stdout, stderr, isCut } = await runGit({
    ...request,
    outputBytesMax: gitLimits.filesBytesMax,
  })
  if (isCut) throw new HostError('too_large', 'The push changes more files than can be handled.')
  if (exitCode !== 0) throw new HostError('unavailable', complaintOf(stderr))
  return stdout.toString()
}
