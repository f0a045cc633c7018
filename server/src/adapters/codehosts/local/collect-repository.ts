import path from 'node:path'
import { storageLimits } from '#base/storage-limits.ts'
import { askGit } from './ask-git.ts'
import { fileTime } from './file-time.ts'
import { holdRepository } from './hold-repository.ts'
import { packRefs } from './pack-refs.ts'
import { packingLimits } from './packing-limits.ts'
import { folderBytes } from './repository-folder.ts'

/**
 * `keep`: commits that are named elsewhere, which stay though no branch holds them. `keptMs`: what is younger stays whatever
 * names it, since a push or a run may be building on it. `deadBytesMin`: less is left where it is. `mayCollect`: asked once nobody
 * else puts the repository in order.
 */
export type CollectOptions = {
  keep: readonly string[]
  keptMs?: number
  deadBytesMin?: number
  mayCollect?: () => Promise<boolean>
  signal?: AbortSignal
}

/** What then lies there, and whether any of it may go later. */
export type Collected = { bytes: number; hasDead: boolean }

const keptRefs = 'refs/internal/kept/'

/** Null where another process is at work in the repository, or nothing may be collected now. */
export async function collectRepository(repository: string, options: CollectOptions): Promise<Collected | null> {
  const { mayCollect = async () => true } = options
  const collected = await holdRepository(repository, async () =>
    (await mayCollect()) ? collect(repository, options) : undefined,
  )
  return collected ? { ...collected, bytes: collected.bytes + (await folderBytes(path.join(repository, 'lfs'))) } : null
}

/**
 * Packs a repository anew where much of it is dead: all that is reached into one pack, all else that is young into another, which
 * says how old each object is. Git takes the old packs away once the new ones are there, so readers go on: they look again
 * for what they do not find. A clone or push under way has its files open.
 */
async function collect(
  repository: string,
  { keep, keptMs = storageLimits.deadKeptMs, deadBytesMin = storageLimits.deadBytesMin, signal }: CollectOptions,
): Promise<Collected> {
  const objects = path.join(repository, 'objects')
  const git = (words: string[], input = '') =>
    askGit({
      repository,
      arguments: words,
      input,
      ...packingLimits,
      outputBytesMax: 64 * 2 ** 20,
      ...(signal && { signal }),
    })
  const before = await folderBytes(objects)
  if (before < deadBytesMin) return { bytes: before, hasDead: false }
  await keepCommits(git, keep)
  const living = Number(await git(['rev-list', '--use-bitmap-index', '--objects', '--all', '--disk-usage']))
  const dead = before - living
  if (dead < deadBytesMin || dead < storageLimits.deadShare * living) return { bytes: before, hasDead: false }
  const oldest = Math.floor(((await fileTime(repository)) - keptMs) / 1000)
  const indexes = ['--write-midx', '--write-bitmap-index']
  await git(['repack', '-q', '-d', '--cruft', `--cruft-expiration=@${oldest}`, ...indexes])
  await packRefs(repository)
  const bytes = await folderBytes(objects)
  return { bytes, hasDead: bytes - living >= deadBytesMin }
}

type Ask = (words: string[], input?: string) => Promise<string>

/** By names that nobody is shown, those alone that are here and that nothing else holds. */
async function keepCommits(git: Ask, keep: readonly string[]): Promise<void> {
  const listed = await git(['for-each-ref', '--format=%(refname)', keptRefs])
  const had = listed.split('\n').filter(Boolean)
  await git(['update-ref', '--stdin'], had.map((name) => `delete ${name}\n`).join(''))
  const commits = [...new Set(keep)].filter((commit) => /^[0-9a-f]{40}$/.test(commit))
  if (!commits.length) return
  const kinds = await git(
    ['cat-file', '--batch-check=%(objecttype) %(objectname)'],
    commits.map((id) => `${id}\n`).join(''),
  )
  const here = kinds.split('\n').flatMap((line) => (line.startsWith('commit ') ? [line.slice(7)] : []))
  if (!here.length) return
  const unheld = await git(['rev-list', '--stdin', '--not', '--all'], here.map((id) => `${id}\n`).join(''))
  const loose = new Set(unheld.split('\n'))
  const kept = here.filter((commit) => loose.has(commit))
  await git(['update-ref', '--stdin'], kept.map((commit) => `update ${keptRefs}${commit} ${commit}\n`).join(''))
}
