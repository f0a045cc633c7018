import { applyPatchTool } from './tools/apply-patch.ts'
import { editTool } from './tools/edit.ts'
import type { ToolResult } from './tools/tool.ts'
import { writeTool } from './tools/write.ts'

const names = [editTool.name, writeTool.name, applyPatchTool.name]

/** Whether a call of this name changes files, and nothing else. */
export const isChange = (name: unknown) => names.some((own) => own === name)

/** Files of the work that a call has changed, relative to the workspace. */
export function changedBy({ name }: { name: string }, { output, isError }: ToolResult): string[] {
  // One that failed in its middle says how far it came.
  if (name === applyPatchTool.name) return (output['paths'] ?? []) as string[]
  const { path } = output
  return isChange(name) && !isError && output['outside'] !== true && typeof path === 'string' ? [path] : []
}

/** Those of them that are still there. */
export function writtenBy(call: { name: string }, result: ToolResult): string[] {
  const removed = (result.output['removed'] ?? []) as string[]
  return changedBy(call, result).filter((path) => !removed.includes(path))
}
