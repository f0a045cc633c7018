import { mkdirSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { startTimeOf } from './read-process.ts'

/** A folder of this process alone. What a killed process left in its own, another one of this machine takes away. */
export function openTemporaryFolder(parent: string): string {
  const folder = path.join(parent, `${process.pid}-${startTimeOf(process.pid)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Removes the folders beside this one whose processes have ended. */
export async function sweepTemporaryFolders(own: string): Promise<void> {
  const parent = path.dirname(own)
  for (const name of await readdir(parent)) {
    const [pid, startTime] = name.split('-')
    const isAlive = startTimeOf(Number(pid)) === startTime && (startTime !== '' || isThere(Number(pid)))
    if (!isAlive) await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

/** Names this run of the machine; empty where it has no /proc. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Where the machine has no /proc. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
