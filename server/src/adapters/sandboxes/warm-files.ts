/** Files of sandboxes that were made ready before anybody needed one. Whoever gets one, gets its folder by another name. */
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { filesOf, type SandboxFiles } from './sandbox-files.ts'
import { isServiceGone, ownRecord, asServiceRecord, type ServiceRecord } from './service-record.ts'

const warmFolder = '.warm'
const recordFile = 'warm.json'
const warmPattern = /^warm-[a-z0-9-]+$/
/** Its service removes one in time; after this much more nobody does. */
const OVERDUE_MS = 60_000

export const isWarmId = (id: string): boolean => warmPattern.test(id)

/** Beside the files of other sandboxes, whose ids name no folder in it. */
export const warmFolderIn = (folder: string): string => path.join(folder, warmFolder)

export const newWarmFiles = (folder: string): SandboxFiles =>
  filesOf(warmFolderIn(folder), `warm-${randomUUID().slice(0, 13)}`)

/** Stays with the files, so it also tells under which id that which runs over them was started. */
export type WarmRecord = { id: string; owner: ServiceRecord; overdueAt: number }

export function writeWarmRecord({ id, folder }: SandboxFiles, { ageMsMax }: { ageMsMax: number }): void {
  const record: WarmRecord = { id, owner: ownRecord(), overdueAt: Date.now() + ageMsMax + OVERDUE_MS }
  writeFileSync(path.join(folder, recordFile), JSON.stringify(record), { mode: 0o600 })
}

/** Null for files that were not made ready. */
export function readWarmRecord(folder: string): WarmRecord | null {
  try {
    const { id, owner, overdueAt } = JSON.parse(readFileSync(path.join(folder, recordFile), 'utf8')) as WarmRecord
    return isWarmId(id) ? { id, owner: asServiceRecord(owner), overdueAt } : null
  } catch {
    return null
  }
}

export const removeWarmRecord = (folder: string): void => rmSync(path.join(folder, recordFile), { force: true })

/** All that nobody has got yet, and whether nobody will: the service that made it is gone, or it is too old. */
export async function listWarm(folder: string): Promise<{ files: SandboxFiles; isLeft: boolean }[]> {
  const names = await readdir(warmFolderIn(folder)).catch(() => [])
  return names.filter(isWarmId).map((id) => {
    const files = filesOf(warmFolderIn(folder), id)
    return { files, isLeft: isLeft(files.folder) }
  })
}

function isLeft(folder: string): boolean {
  const record = readWarmRecord(folder)
  if (record) return isServiceGone(record.owner) || record.overdueAt < Date.now()
  // Whoever began it had not come to say so.
  const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  return madeAt !== undefined && madeAt + OVERDUE_MS < Date.now()
}
