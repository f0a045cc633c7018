import { askUserTool } from './ask-user.ts'
import { editTool } from './edit.ts'
import { finishTool } from './finish.ts'
import { listTool } from './list.ts'
import { planTool } from './plan.ts'
import { readTool } from './read.ts'
import { searchTool } from './search.ts'
import { shellTool } from './shell.ts'
import type { Tool } from './tool.ts'
import { writeTool } from './write.ts'

/** The tools that run. */
export const allTools: readonly Tool[] = [
  shellTool,
  readTool,
  writeTool,
  editTool,
  searchTool,
  listTool,
  planTool,
  finishTool,
]

/** In the order in which models are told of them; a changed order loses the provider's cache. */
export const offeredTools: readonly Pick<Tool, 'name' | 'description' | 'schema'>[] = [...allTools, askUserTool]

export function toolNamed(name: string): Tool | undefined {
  return allTools.find((tool) => tool.name === name)
}
