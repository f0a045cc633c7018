import path from 'node:path'
import type { SandboxPaths } from '#adapters/sandboxes/sandbox.ts'
import { ToolFailure } from './tool.ts'

export type ResolvedPath = {
  absolute: string
  /** As the model should write it: relative to the workspace if it lies there. */
  shown: string
  /** It is no part of the work: what a tool leaves there is gone with the sandbox. */
  isOutside: boolean
}

/** What the kernel answers in place of files is another thing to the program that reads for us than to a command. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev']

/** Where a path of the model's lies. What may be touched the sandbox decides: it holds nothing but the run's own. */
export function resolvePath(paths: SandboxPaths, options: string): ResolvedPath {
  if (options.includes('\0')) throw new ToolFailure('The path has a NUL character in it.')
  const absolute = path.posix.resolve(
    paths.workspace,
    options.replace(/^~(?=\/|$)/, () => paths.home),
  )
  if (isBelow(absolute, paths.workspace)) {
    return { absolute, shown: path.posix.relative(paths.workspace, absolute) || '.', isOutside: false }
  }
  if (KERNEL_FOLDERS.some((folder) => isBelow(absolute, folder)))
    throw new ToolFailure(`${absolute} holds no files but what the kernel says. Look at it with a command.`)
  return { absolute, shown: absolute, isOutside: true }
}

function isBelow(absolute: string, folder: string): boolean {
  return absolute === folder || absolute.startsWith(`${folder}/`)
}
