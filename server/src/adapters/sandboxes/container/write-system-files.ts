import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gitConfig } from '#adapters/sandboxes/command-environment.ts'
import type { SandboxFiles } from '#adapters/sandboxes/sandbox-files.ts'
import type { Author } from '#base/own-author.ts'
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

/** In place: a container is shown the file that was there when it was started, and not what has its name now. */
export function rewriteAuthor(files: SandboxFiles, author: Author | undefined): { path: string; content: string } {
  const inside = '/etc/gitconfig'
  const file = path.join(files.folder, 'etc', path.basename(inside))
  const content = gitConfig(author)
  if (readFileSync(file, 'utf8') !== content) writeFileSync(file, content)
  return { path: inside, content }
}
