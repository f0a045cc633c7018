import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'

/** Where a repository of the built-in host lies, or a mirror of another's. Its path is our own, and still no way out of the folder. */
export function folderOf(root: string, repo: RepoRef): string {
  const [organization, name, ...rest] = repo.path.split('/')
  const isOurs =
    organization === String(repo.organizationId) && /^([a-z]+-)?[1-9][0-9]*\.git$/.test(name ?? '') && !rest.length
  if (!isOurs) throw new HostError('not_found', `There is no repository at ${repo.path}.`)
  return path.join(root, repo.path)
}

/** The same, for a repository that is there. */
export async function existingFolderOf(root: string, repo: RepoRef): Promise<string> {
  const folder = folderOf(root, repo)
  if (!(await exists(path.join(folder, 'HEAD'))))
    throw new HostError('not_found', `There is no repository at ${repo.path}.`)
  return folder
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

/** An empty bare repository with no hooks, as `git init` leaves one: a process to start is ten times the work. */
export async function initRepository(folder: string, defaultBranch: string): Promise<void> {
  for (const name of ['', 'objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'refs/tags']) {
    const made = path.join(folder, name)
    await mkdir(made, { recursive: true })
    // Whatever mask the process was started with; what git makes in it later belongs to the same group.
    await chmod(made, 0o2755)
  }
  for (const [name, text] of [
    ['config', newConfig],
    ['HEAD', `ref: refs/heads/${defaultBranch}\n`],
  ] as const) {
    const file = path.join(folder, name)
    await writeFile(file, text)
    await chmod(file, 0o644)
  }
}

// Objects that nothing reaches may still be read by a run at work, and garbage collection is no part of a push.
const newConfig = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tsharedrepository = 0644
[receive]
\tdenyNonFastforwards = true
[gc]
\tauto = 0
`

/** A folder that others may read where the folder above lets them; whatever mask the process was started with. */
export async function makeReadableFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
}

/**
 * A new folder beside the final one. It is put in place by one rename, so what fails or dies on the way leaves nothing
 * that looks finished; what a dead process left is swept by the next one here.
 */
export async function makeStaging(parent: string, prefix: string): Promise<string> {
  await makeReadableFolder(parent)
  await sweep(parent, prefix)
  const folder = path.join(parent, `${prefix}${randomUUID()}`)
  await makeReadableFolder(folder)
  return folder
}

/** Takes away folders of which the makers are long dead. */
export async function sweep(parent: string, prefix: string): Promise<void> {
  const oldest = Date.now() - abandonedMs
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(parent, name)
    const made = await stat(folder).catch(() => undefined)
    if (made && made.mtimeMs < oldest) await rm(folder, { recursive: true, force: true })
  }
}
/** Longer than any import or push may take. */
const abandonedMs = 24 * 60 * 60_000

/** What the files below a folder take up. What vanishes meanwhile counts for nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  }
  return bytes
}

/** Gone at once for everybody, whatever time the files take. What a process left that died on the way goes with it. */
export async function removeFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder)
  const prefix = `.removed-${path.basename(folder)}-`
  try {
    await rename(folder, path.join(parent, `${prefix}${randomUUID()}`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter((name) => name.startsWith(prefix)))
    await rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 })
  if (names.length) await sweep(parent, '.removed-')
}
