import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Another process may be reading the file, so it is replaced as a whole, and only where it is another one. */
export function writeOnce(file: string, content: string | Buffer, mode = 0o644): string {
  if (existsSync(file) && mode === 0o644 && readFileSync(file, 'utf8') === content) return file
  const unfinished = `${file}.${randomUUID().slice(0, 8)}`
  writeFileSync(unfinished, content)
  chmodSync(unfinished, mode)
  renameSync(unfinished, file)
  return file
}
