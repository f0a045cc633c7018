import { readdirSync, readFileSync } from 'node:fs'
import { readProcess } from '#base/read-process.ts'

export type Process = { pid: number; parent: number; words: string[] }

/** The processes of this machine, with their command lines. */
export function listProcesses(): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    const stat = pid > 0 ? readProcess(pid) : undefined
    if (!stat) return []
    try {
      return [{ pid, parent: stat.parent, words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }]
    } catch {
      return []
    }
  })
}
