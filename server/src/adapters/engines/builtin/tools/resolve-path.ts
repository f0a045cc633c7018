import path from 'node:path'
import type { SandboxPaths } from '#adapters/sandboxes/sandbox.ts'
import { ToolFailure } from './tool.ts'

export type ResolvedPath = {
  absolute: string
  /** As the model should write it: relative to the workspace if it lies there. */
  shown: string
}

/** Where a path of the model's lies. Links are followed inside the sandbox, which holds nothing but the run's own. */
export function resolvePath(paths: SandboxPaths, options: string): ResolvedPath {
  if (options.includes('\0')) throw new ToolFailure('The path has a NUL character in it.')
  const absolute = path.posix.resolve(paths.workspace, options)
  if (isBelow(absolute, paths.workspace)) {
    return { absolute, shown: path.posix.relative(paths.workspace, absolute) || '.' }
  }
  if (isBelow(absolute, paths.temporary)) return { absolute, shown: absolute }
  throw new ToolFailure(
    `${options} lies outside the workspace ${paths.workspace}. Give a path inside it, relative to it.`,
  )
}

function isBelow(absolute: string, folder: string): boolean {
  return absolute === folder || absolute.startsWith(`${folder}/`)
}
