import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseBlobPath } from '#adapters/blobs/blob-path.ts'
import type { Config } from '#base/config/config.ts'
import { lowerPriority } from '#base/lower-priority.ts'
import { checkRepository } from '#adapters/codehosts/local/check-repository.ts'
import { measureFile } from './copy-file.ts'
import { placeOf, readFileList } from './file-list.ts'
import { findKeyFit } from './find-key-fit.ts'
import { listNamedBlobs } from './list-named-blobs.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { openTable } from './read-table.ts'

/** Of those that are told; there may be millions. */
const problemsMax = 50

/** What is wrong with a backup, and what else is to be told of it. */
export type Verified = { problems: string[]; notes: string[] }

/** Reads a backup to its end. Rejects where it is none. */
export async function verify(config: Config, folder: string): Promise<Verified> {
  lowerPriority(process)
  const manifest = await readManifest(folder)
  const backup = await realpath(folder)
  const problems: string[] = []
  const fit = findKeyFit(config, manifest)
  if (fit === 'other') problems.push(keyProblem)
  for await (const problem of findProblems(backup, manifest)) if (problems.push(problem) === problemsMax) break
  const { takenAt, product, repositories, blobs, hasBlobs, missingBlobs } = manifest
  const is = problems.length ? 'The backup cannot be restored whole' : 'The backup is whole'
  return {
    problems,
    notes: [
      ...(fit === 'none' ? ['There is no secret key here to compare with that of the backup.'] : []),
      ...(hasBlobs ? [] : ['Files are not in this backup (--without-blobs): their store has to be kept.']),
      ...(missingBlobs ? [`${missingBlobs} files were missing in their store when it was made.`] : []),
      `${is}: of ${takenAt}, by Runwright ${product}, with ${repositories} repositories and ${blobs} files.`,
    ],
  }
}

export const keyProblem =
  'The secret key here is not the one of this backup: its tokens and secrets could not be read. Give RUNWRIGHT_SECRET_KEY (or the file secret-key in the data folder) as it was.'

/** Everything that keeps it from being restored, a sentence each. */
export async function* findProblems(backup: string, manifest: Manifest): AsyncGenerator<string> {
  for (const table of manifest.tables) yield* readTable(backup, table)
  const repositories = new Set<string>()
  let listed = 0
  for await (const { path: name, bytes, sha256 } of readFileList(backup, manifest.files)) {
    listed++
    const place = placeOf(name)
    if (place?.kind === 'git') repositories.add(place.repository)
    const found = await measureFile(path.join(backup, name)).catch((error: Error) => error)
    if (found instanceof Error) yield found.message
    else if (found.bytes !== bytes || found.sha256 !== sha256)
      yield `${name} is damaged: its bytes are not those that were written.`
    else if (place?.kind === 'blob' && place.sha256 !== sha256) yield `${name} is not what its name says.`
  }
  yield* findStrangers(backup, manifest, listed)
  if (repositories.size !== manifest.repositories)
    yield `There are ${repositories.size} repositories, and the manifest says ${manifest.repositories}.`
  yield* checkAll(backup, repositories)
  if (manifest.hasBlobs) yield* findMissing(backup, manifest)
}

async function* readTable(backup: string, table: Manifest['tables'][number]): AsyncGenerator<string> {
  try {
    for await (const _ of await openTable(backup, table)) continue
  } catch (error) {
    yield (error as Error).message
  }
}

/** What is there beside what is listed. */
async function* findStrangers(backup: string, { tables }: Manifest, listed: number): AsyncGenerator<string> {
  const own = new Set(['manifest.json', 'files.jsonl.gz', ...tables.map(({ name }) => `tables/${name}.copy.gz`)])
  let found = 0
  for await (const name of filesBelow(backup)) {
    if (placeOf(name)) found++
    else if (!own.has(name)) yield `${name} is not part of the backup. Remove it.`
  }
  if (found > listed) yield `There are ${found - listed} files more than are listed.`
}

async function* filesBelow(folder: string, below = ''): AsyncGenerator<string> {
  for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
    const name = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* filesBelow(folder, name)
    else yield name
  }
}

async function* checkAll(backup: string, repositories: Set<string>): AsyncGenerator<string> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'runwright-verify-'))
  try {
    for (const name of repositories) {
      const complaint = await checkRepository(
        path.join(backup, 'git', name),
        path.join(temporary, 'checked.git'),
      ).catch((error: Error) => error.message)
      if (complaint !== undefined) yield `The repository git/${name} is damaged: ${complaint}`
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function* findMissing(backup: string, manifest: Manifest): AsyncGenerator<string> {
  for await (const key of listNamedBlobs(backup, manifest)) {
    const name = `blobs/${key}`
    const isThere =
      parseBlobPath(key) &&
      (await stat(path.join(backup, name)).then(
        (file) => file.isFile(),
        () => false,
      ))
    if (!isThere) yield `${name} is missing, and a run refers to it.`
  }
}
