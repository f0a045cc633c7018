import fs from 'node:fs'
import path from 'node:path'
import { isAlive, isServerOf } from './find-server.ts'

/** A server writes its number right after it has made the file. One that was killed in between leaves it empty for good. */
const emptyMs = 10_000

/**
 * After a restart of the machine the number in PostgreSQL's lock may be that of another program, for which PostgreSQL waits in
 * vain; that of a program that is gone it replaces by itself. Taken aside before it is looked at a last time, because
 * meanwhile a server may have made its own; that gets it back. PostgreSQL's lock on its shared memory holds all the while.
 */
export function removeForeignLock(data: string): void {
  const file = path.join(data, 'postmaster.pid')
  const aside = `${file}.${process.pid}`
  try {
    if (!isForeign(file, data)) return
    fs.renameSync(file, aside)
    if (!isForeign(aside, data)) fs.linkSync(aside, file)
    fs.rmSync(aside)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}

function isForeign(file: string, data: string): boolean {
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0])
  if (!pid) return Date.now() - fs.statSync(file).mtimeMs > emptyMs
  return isAlive(pid) && !isServerOf(pid, data)
}
