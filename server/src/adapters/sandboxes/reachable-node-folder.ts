import { chmodSync, constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { findClosedFolder } from './find-closed-folder.ts'
import type { SandboxOwner } from './sandbox-files.ts'

/**
 * The folder of this process's own `node`, as the sandboxes' user can reach it: where it lies, or else (a Node under
 * /root, say) a folder with a link or a copy of it beside the sandboxes.
 */
export function reachableNodeFolder(folder: string, owner: SandboxOwner): string {
  const node = process.execPath
  if (!owner || !findClosedFolder(node, owner)) return path.dirname(node)
  const target = path.join(folder, `.node-${process.version}`)
  if (existsSync(path.join(target, 'node'))) return target
  mkdirSync(target, { recursive: true })
  chmodSync(target, 0o755)
  const unfinished = path.join(target, `node.${process.pid}`)
  try {
    linkSync(node, unfinished)
  } catch {
    // Another file system.
    copyFileSync(node, unfinished, constants.COPYFILE_FICLONE)
  }
  renameSync(unfinished, path.join(target, 'node'))
  return target
}
