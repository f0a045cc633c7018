import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '#base/errors.ts'
import { readRecords, type ProcessRecord } from './process-record.ts'

/** Whose the writable folders are; null when the service's own user runs the sandboxes. */
export type SandboxOwner = { uid: number; gid: number } | null

/** Where one sandbox's files lie on this machine. */
export type SandboxFiles = {
  id: string
  folder: string
  /** Where a file system of its own is mounted that holds the next three; nothing lies there where it has none. */
  disk: string
  /** A process that sees it mounted. */
  mountedBy: number | null
  workspace: string
  home: string
  temporary: string
  /** Which processes it consists of, while it runs; those of a command apart have a file of their own beside it. */
  records: string
  /** Where we listen for what wants out of it, while it runs. */
  socket: string
  /** What runs over them may write nothing there. */
  isReadOnly: boolean
  /** It may not write in the workspace. */
  isWorkspaceReadOnly: boolean
}

const recordsPrefix = 'processes'
const idPattern = /^[a-z0-9][a-z0-9-]{0,62}$/
/** With less space than this nothing new is begun. */
const FREE_BYTES_MIN = 64 * 1024 * 1024

export function filesOf(folder: string, id: string, { hasDisk = false } = {}): SandboxFiles {
  if (!idPattern.test(id)) throw new TypeError(`not the id of a sandbox: ${JSON.stringify(id).slice(0, 100)}`)
  const own = path.join(folder, id)
  const disk = path.join(own, 'disk')
  const written = hasDisk ? disk : own
  return {
    id,
    folder: own,
    disk,
    mountedBy: null,
    workspace: path.join(written, 'workspace'),
    home: path.join(written, 'home'),
    temporary: path.join(written, 'tmp'),
    records: path.join(own, `${recordsPrefix}.json`),
    socket: path.join(own, 'network.sock'),
    isReadOnly: false,
    isWorkspaceReadOnly: false,
  }
}

/** The same files, for processes apart; `mountedBy` is one of the first ones. */
export function filesApart(files: SandboxFiles, mountedBy: number | null): SandboxFiles {
  return { ...files, mountedBy, records: path.join(files.folder, `${recordsPrefix}${randomUUID()}.json`) }
}

/** Every file of a sandbox's folder that tells of processes over its files, with what it tells. */
export async function readAllRecords(folder: string): Promise<{ file: string; records: ProcessRecord[] }[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.startsWith(recordsPrefix) && name.endsWith('.json'))
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, records: readRecords(file) }))
}

export async function listSandboxIds(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.filter((entry) => entry.isDirectory() && idPattern.test(entry.name)).map((entry) => entry.name)
}

const asidePrefix = '.removed-'

/** Out of the way at once, whatever time its files take: a sandbox of the same id may be made meanwhile. */
export async function setAside(folder: string, into = path.dirname(folder)): Promise<string> {
  const aside = path.join(into, `${asidePrefix}${randomUUID()}`)
  await rename(folder, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return aside
}

/** What was set aside by a process that did not come to remove it, and so too what others are about to. */
export async function listSetAside(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.startsWith(asidePrefix)).map((name) => path.join(folder, name))
}

/** Makes what is missing; what is there stays as it was left. */
export function prepareFiles(
  folder: string,
  files: SandboxFiles,
  { owner, hasDisk = false }: { owner: SandboxOwner; hasDisk?: boolean },
): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    refuseFullDisk(folder)
    mkdirSync(files.folder, { recursive: true })
    // The sandbox's user must get through to its own folders, and sees nothing else on the way. Nobody else on this machine
    // gets through: not to a run's code, nor to programs there that change the user, whatever the agent allows them.
    if (owner) {
      chmodSync(folder, 0o711)
      chownSync(files.folder, 0, owner.gid)
    }
    chmodSync(files.folder, owner ? 0o710 : 0o700)
    if (hasDisk) return
    for (const inner of [files.workspace, files.home, files.temporary]) {
      const isNew = !existsSync(inner)
      mkdirSync(inner, { recursive: true })
      if (owner && isNew) chownSync(inner, owner.uid, owner.gid)
      chmodSync(inner, 0o700)
    }
  } catch (error) {
    throw asDiskFull(error, folder)
  }
}

/** An error of our own writes, said so that it can be acted on. */
export function asDiskFull(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new AppError('unavailable', {
    message: `The disk is full: nothing can be written in ${folder}.`,
    cause: error,
  })
}

/** Throws where nothing new may be begun. */
export function refuseFullDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= FREE_BYTES_MIN) return
  const freeMebibytes = Math.floor((bavail * bsize) / 1024 / 1024)
  throw new AppError('unavailable', {
    message: `The disk is full: ${freeMebibytes} MiB are free in ${folder}, and a sandbox needs ${FREE_BYTES_MIN / 1024 / 1024} to begin.`,
  })
}
