import { readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { BackupError } from './backup-error.ts'
import { copyToFile } from './copy-file.ts'
import { copyObjects, inOrder } from './copy-repository.ts'
import { isRepositoryPath, type FileListWriter } from './file-list.ts'
import { formatRefs, parseRefs, readHead, readRefs, type Refs } from '#adapters/codehosts/local/read-refs.ts'
import { settleRefs } from './settle-refs.ts'

/** `git`: the folder of repositories. `target`: where the backup of it grows, below the folder of the backup. */
type Repositories = { git: string; target: string; signal: AbortSignal }

/** All repositories and mirrors that are there, by their path below the folder. */
export async function listRepositories(git: string): Promise<string[]> {
  const found: string[] = []
  for (const organization of await readdir(git).catch(() => []))
    for (const name of await readdir(path.join(git, organization)).catch(() => []))
      if (isRepositoryPath(`${organization}/${name}`)) found.push(`${organization}/${name}`)
  return found.sort()
}

/** Before the snapshot: where each name is. Whoever collects in a repository has ended then, and does not begin again. */
export async function noteRefs({ git, target, signal }: Repositories): Promise<void> {
  for (const at of await listRepositories(git)) {
    const repository = path.join(git, at)
    const refs = await inOrder(repository, () => readRefs(repository, signal), signal)
    if (refs) await writeRefs(path.join(target, at), refs)
  }
}

/** Right after it: where each name was at its moment. Answers the repositories that the snapshot knows. */
export async function settleAllRefs(
  snapshot: pg.ClientBase,
  { git, target, since, signal }: Repositories & { since: Date },
): Promise<string[]> {
  const settled: string[] = []
  const all = new Set([...(await listRepositories(target)), ...(await listRepositories(git))])
  for (const at of all) {
    if (!(await isKnown(snapshot, at))) {
      await rm(path.join(target, at), { recursive: true, force: true })
      continue
    }
    const repository = path.join(git, at)
    const [before, after] = [
      await readNoted(path.join(target, at)),
      await readRefs(repository, signal).catch(ofRemoved(repository)),
    ]
    // Removed in between: what was noted is kept, as far as it is still there when it is copied.
    if (after)
      await writeRefs(
        path.join(target, at),
        await settleRefs(snapshot, { repository, path: at, before, after, since, signal }),
      )
    settled.push(at)
  }
  return settled
}

/** Copies what is in them. One that has been removed meanwhile has no branches in the backup; answers how many there are. */
export async function copyRepositories(
  paths: string[],
  { git, target, files, signal }: Repositories & { files: FileListWriter },
): Promise<{ removed: number }> {
  let removed = 0
  for (const at of paths) {
    const [from, to, listed] = [path.join(git, at), path.join(target, at), `git/${at}`]
    const isThere = await inOrder(
      from,
      async () => (await copyObjects({ from, to, listed, files, signal }), true),
      signal,
    )
    if (!isThere) removed++
    const refs = isThere ? ((await readNoted(to)) ?? nothing) : nothing
    await rm(path.join(to, 'HEAD'), { force: true })
    await rm(path.join(to, 'packed-refs'), { force: true })
    for (const [name, text] of Object.entries({ HEAD: headOf(refs), 'packed-refs': formatRefs(refs) }))
      await files.add({
        path: `${listed}/${name}`,
        ...(await copyToFile(Readable.from([Buffer.from(text, 'latin1')]), path.join(to, name))),
      })
  }
  return { removed }
}

const nothing: Refs = { head: 'main', at: new Map() }
const headOf = ({ head }: Refs) => `ref: refs/heads/${head}\n`

function ofRemoved(repository: string): (error: unknown) => Promise<undefined> {
  return async (error) => {
    const isThere = await readHead(repository).catch(() => undefined)
    if (isThere !== undefined) throw error
    return undefined
  }
}

/** How many of the built-in host's repositories are not there although rows name them. Rejects where none of them is. */
export async function countMissing(
  snapshot: pg.ClientBase,
  { git, paths }: { git: string; paths: string[] },
): Promise<number> {
  const { rows } = await snapshot.query<{ path: string }>(
    `select organization_id || '/' || id || '.git' as path from repos where host = 'local' and removed_at is null`,
  )
  const known = new Set(paths)
  const missing = rows.filter((row) => !known.has(row.path)).length
  if (missing > 0 && missing === rows.length)
    throw new BackupError(
      `None of the ${missing} repositories of this service is in ${git}. Make the backup where they are, with the settings of the API processes (RUNWRIGHT_GIT_DIR, RUNWRIGHT_DATA_DIR).`,
    )
  return missing
}

async function isKnown(snapshot: pg.ClientBase, at: string): Promise<boolean> {
  const [, organizationId, kind = '', id] = /^(\d+)\/(?:([a-z]+)-)?(\d+)\.git$/.exec(at) ?? []
  const table = kind === 'run' ? 'runs' : 'repos'
  const { rowCount } = await snapshot.query(`select from ${table} where organization_id = $1 and id = $2`, [
    organizationId,
    id,
  ])
  return rowCount === 1
}

async function writeRefs(folder: string, refs: Refs): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'HEAD'), headOf(refs), { encoding: 'latin1', mode: 0o600 })
  await writeFile(path.join(folder, 'packed-refs'), formatRefs(refs), { encoding: 'latin1', mode: 0o600 })
}

async function readNoted(folder: string): Promise<Refs | null> {
  const text = await readFile(path.join(folder, 'packed-refs'), 'latin1').catch(() => undefined)
  return text === undefined ? null : { head: await readHead(folder), at: parseRefs(text) }
}
