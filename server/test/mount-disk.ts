import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'

/** A disk of its own; undefined where this machine lets nobody mount one. */
export function mountDisk(mebibytes: number): string | undefined {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'disk-'))
  const options = `size=${mebibytes}m,mode=0711`
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (mounted.status !== 0) return undefined
  after(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
