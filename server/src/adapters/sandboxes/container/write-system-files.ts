import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { SandboxFiles } from '#adapters/sandboxes/sandbox-files.ts'
import { writeOnce } from './write-once.ts'

/** Where each is shown, and the file that is shown there. */
export function writeSystemFiles(
  files: SandboxFiles,
  system: [target: string, content: string][],
): Record<string, string> {
  const folder = path.join(files.folder, 'etc')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  return Object.fromEntries(
    system.map(([target, content]) => [target, writeOnce(path.join(folder, path.basename(target)), content)]),
  )
}
