import { statSync } from 'node:fs'
import path from 'node:path'

/** The first folder on the way to `target`, itself included, that this user may not pass; null when there is none. */
export function findClosedFolder(target: string, { uid, gid }: { uid: number; gid: number }): string | null {
  for (const folder of wayTo(target)) {
    const stat = statSync(folder, { throwIfNoEntry: false })
    if (!stat) return null
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
    if (stat.isDirectory() && (stat.mode & bit) === 0) return folder
  }
  return null
}

function wayTo(target: string): string[] {
  const parent = path.dirname(target)
  return parent === target ? [target] : [...wayTo(parent), target]
}
