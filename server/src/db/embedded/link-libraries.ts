import fs from 'node:fs'
import path from 'node:path'

/** Where a folder belongs to somebody else. */
const closed = ['EACCES', 'EPERM', 'EROFS']

/**
 * Gives the libraries of the embedded PostgreSQL the names that its programs look for, as the package's install script would: install
 * scripts are off. `native` is the folder of the package, or a copy of it. False where nothing may be written there and a name is missing.
 */
export function linkLibraries(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), path.join(native, path.relative('native', target)))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (closed.includes(code)) return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}
