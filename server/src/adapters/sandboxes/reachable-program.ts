import { chmodSync, constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { findClosedFolder } from './find-closed-folder.ts'
import type { SandboxOwner } from './sandbox-files.ts'

/**
 * A program of ours as the sandboxes' user can reach it: where it lies, or else (a Node under /root, say) a link or a copy of it
 * beside the sandboxes.
 */
export function reachableProgram(
  program: { path: string; version: string },
  { folder, owner }: { folder: string; owner: SandboxOwner },
): string {
  if (!owner || !findClosedFolder(program.path, owner)) return program.path
  const name = path.basename(program.path)
  const target = path.join(folder, `.${name}-${program.version}`)
  const reachable = path.join(target, name)
  if (existsSync(reachable)) return reachable
  mkdirSync(target, { recursive: true })
  chmodSync(target, 0o755)
  const unfinished = path.join(target, `${name}.${process.pid}`)
  try {
    linkSync(program.path, unfinished)
  } catch {
    // Another file system.
    copyFileSync(program.path, unfinished, constants.COPYFILE_FICLONE)
  }
  renameSync(unfinished, reachable)
  return reachable
}
