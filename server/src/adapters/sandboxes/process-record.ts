/** Which processes a sandbox consists of, kept in a file, so that another service can end what this one left. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { startTimeOf } from '#base/read-process.ts'
import { bootId } from '#base/temporary-folder.ts'

/** A process number alone is used again; with the time of its start, in this boot, it is not. */
export type ProcessRecord = { pid: number; startTime: string; boot: string }

/** A killed process that is still there after this waits for a disk or a debugger. */
export const GONE_MS_MAX = 10_000
const LOOK_MS_MIN = 2
const LOOK_MS_MAX = 100

export function recordOf(pid: number): ProcessRecord {
  return { pid, startTime: startTimeOf(pid), boot: bootId() }
}

/** False for one that has ended, also when nobody has collected it yet. */
export function isRunning({ pid, startTime, boot }: ProcessRecord): boolean {
  return startTime !== '' && startTimeOf(pid) === startTime && bootId() === boot
}

export function killRecorded(record: ProcessRecord): void {
  if (!isRunning(record)) return
  try {
    process.kill(record.pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

/**
 * Kills and waits until it is gone: of a sandbox's first process, that means all others are gone before. False when it is
 * still there after a while. Never rejects.
 */
export async function endRecorded(record: ProcessRecord): Promise<boolean> {
  const deadline = Date.now() + GONE_MS_MAX
  for (let pauseMs = LOOK_MS_MIN; isRunning(record); pauseMs = Math.min(pauseMs * 2, LOOK_MS_MAX)) {
    if (Date.now() > deadline) return false
    killRecorded(record)
    await delay(pauseMs)
  }
  return true
}

export function writeRecords(path: string, records: ProcessRecord[]): void {
  writeFileSync(`${path}.new`, JSON.stringify(records), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export function readRecords(path: string): ProcessRecord[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessRecord[]
  } catch {
    return []
  }
}

/** Removes the file if it tells of these processes: whoever was frozen meanwhile may find another's in its place. */
export function removeRecords(path: string, records: ProcessRecord[]): void {
  if (JSON.stringify(readRecords(path)) === JSON.stringify(records)) rmSync(path, { force: true })
}
