import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { initRepository, makeReadableFolder } from '#adapters/codehosts/local/repository-folder.ts'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { BackupError } from './backup-error.ts'
import { listRepositories } from './backup-repositories.ts'
import { checkRepository } from '#adapters/codehosts/local/check-repository.ts'
import { copyToFile, openPlainFile, measureFile } from './copy-file.ts'
import { placeOf, readFileList, type ListedFile } from './file-list.ts'
import type { Manifest } from './manifest.ts'

/** Beside the organizations' folders. While it is there a restore is at it, or was cut off. */
const stagingName = '.restoring'

export type RestoreFiles = { backup: string; manifest: Manifest; git: string; blobs: BlobStore }

/** Removes what a restore that was cut off has put there: it began in an empty folder. Only for who knows that the database is empty. */
export async function clearRepositories(git: string): Promise<void> {
  const names = await readdir(git).catch(() => [] as string[])
  if (names.includes(stagingName))
    for (const name of names)
      if (/^\d+$/.test(name) || name === stagingName) await rm(path.join(git, name), { recursive: true })
  const [found] = await listRepositories(git)
  if (found !== undefined)
    throw new BackupError(
      `The folder of repositories is not empty: ${path.join(git, found)}. Move them away, or name another folder in RUNWRIGHT_GIT_DIR.`,
    )
}

/** Brings blobs to their store, and repositories beside where they belong; `place` puts them there. */
export async function restoreFiles({ backup, manifest, git, blobs }: RestoreFiles) {
  const staging = path.join(git, stagingName)
  await mkdir(git, { recursive: true })
  await mkdir(staging, { mode: 0o700 })
  const repositories = new Set<string>()
  for await (const file of readFileList(backup, manifest.files)) {
    const place = placeOf(file.path)
    const from = path.join(backup, file.path)
    if (place?.kind === 'blob') await restoreBlob(from, { file, blobs, organizationId: place.organizationId })
    if (place?.kind !== 'git') continue
    const folder = path.join(staging, place.repository)
    if (!repositories.has(place.repository)) await initRepository(folder, 'main')
    repositories.add(place.repository)
    await restoreFile(from, path.join(folder, place.name), file)
  }
  for (const repository of repositories)
    await requireWhole(path.join(staging, repository), path.join(staging, 'checked.git'))
  return {
    place: async () => {
      for (const organization of new Set([...repositories].map((repository) => path.dirname(repository)))) {
        await makeReadableFolder(path.join(staging, organization))
        await rename(path.join(staging, organization), path.join(git, organization))
      }
    },
    done: () => rm(staging, { recursive: true, force: true }),
  }
}

async function restoreBlob(
  from: string,
  { file, blobs, organizationId }: { file: ListedFile; blobs: BlobStore; organizationId: number },
): Promise<void> {
  requireSame(file, await measureFile(from))
  const { sha256 } = await blobs.put(organizationId, { file: from })
  if (sha256 !== path.basename(file.path)) throw damaged(file)
}

async function restoreFile(from: string, to: string, file: ListedFile): Promise<void> {
  // HEAD is there already, as of every new repository.
  if (path.basename(to) === 'HEAD') await rm(to, { force: true })
  const mode = /\/objects\//.test(to.slice(to.lastIndexOf('.git/'))) ? 0o444 : 0o644
  requireSame(file, await copyToFile(await openPlainFile(from), to, { mode }))
  await chmod(to, mode)
}

function requireSame(file: ListedFile, found: { bytes: number; sha256: string }): void {
  if (found.bytes !== file.bytes || found.sha256 !== file.sha256) throw damaged(file)
}

const damaged = ({ path: name }: ListedFile) =>
  new BackupError(
    `${name} of the backup is damaged: its bytes are not those that were written. Nothing was restored; "runwright verify" finds all that is damaged.`,
  )

async function requireWhole(repository: string, temporary: string): Promise<void> {
  const complaint = await checkRepository(repository, temporary)
  if (complaint !== undefined)
    throw new BackupError(
      `The repository ${path.basename(repository)} of the backup is damaged: ${complaint}. Nothing was restored.`,
    )
}
