import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The name of a data folder, made at the first start: processes that share the folder share it, and no others have it. */
export function readMachineId(dataDir: string): string {
  const file = path.join(dataDir, 'place')
  const known = readIfThere(file)
  if (known) return known
  const own = `${file}.${process.pid}`
  writeFileSync(own, randomUUID())
  try {
    // Of several first starts at once one makes the file, and whole; the others read it.
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own)
  }
  return readFileSync(file, 'utf8')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
