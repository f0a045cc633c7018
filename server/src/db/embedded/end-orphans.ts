import fs from 'node:fs'
import { readProcess } from '#base/read-process.ts'
import { isServerOf } from './find-server.ts'

/**
 * Ends what a killed server has left and what does not end by itself: its processes that stand in its data and have no
 * server above them. They share memory with the server that is gone, so that no other may start. Linux alone.
 */
export function endOrphans(data: string): void {
  for (const name of fs.existsSync('/proc') ? fs.readdirSync('/proc') : []) {
    const pid = Number(name)
    if (Number.isInteger(pid) && isOrphan(pid, data)) process.kill(pid, 'SIGKILL')
  }
}

function isOrphan(pid: number, data: string): boolean {
  try {
    if (fs.readlinkSync(`/proc/${pid}/cwd`) !== data) return false
    if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ')) return false
    return !isServerOf(readProcess(pid)?.parent ?? 0, data)
  } catch {
    return false
  }
}
