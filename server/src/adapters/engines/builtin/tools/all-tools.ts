import { z } from 'zod'
import type { Turn } from '#adapters/engines/engine.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { applyPatchTool } from './apply-patch.ts'
import { askUserTool } from './ask-user.ts'
import { editTool } from './edit.ts'
import { fetchTool } from './fetch.ts'
import { finishSchema, finishTool } from './finish.ts'
import { listTool } from './list.ts'
import { locateFaultTool } from './locate-fault.ts'
import { planTool } from './plan.ts'
import { readRunsTool } from './read-runs.ts'
import { readTool } from './read.ts'
import { searchTool } from './search.ts'
import { sessionTool } from './session.ts'
import { shellTool } from './shell.ts'
import { startRunTool } from './start-run.ts'
import type { Tool } from './tool.ts'
import { tryChangeTool } from './try-change.ts'
import { writeTool } from './write.ts'

/** The tools that run. */
export const allTools: readonly Tool[] = [
  shellTool,
  sessionTool,
  readTool,
  writeTool,
  editTool,
  applyPatchTool,
  searchTool,
  listTool,
  fetchTool,
  locateFaultTool,
  tryChangeTool,
  planTool,
  startRunTool,
  readRunsTool,
  finishTool,
]

/** In the order in which models are told of them; a changed order loses the provider's cache. */
export const offeredTools: readonly Pick<Tool, 'name' | 'description' | 'schema'>[] = [...allTools, askUserTool]

type OfferedTool = { name: string; description: string; schema: z.ZodType | JsonObject }

const finish = z.toJSONSchema(finishSchema) as JsonObject & { required: string[] }

const runTools: string[] = [startRunTool.name, readRunsTool.name]
const testTools: string[] = [locateFaultTool.name, tryChangeTool.name]

/** Models that were trained on patches in the format of `apply_patch`. */
const PATCHING = /(?:^|\/)(?:gpt-(?:4\.1|[5-9]|oss)|o[3-9]\b|codex)/

/** Those that a run may use, and its model knows how to. `hasTests`: there are tests that the two about tests can run. */
export function usableTools(
  { children }: Pick<Turn, 'children'>,
  model: { id: string },
  hasTests: boolean,
): typeof offeredTools {
  return offeredTools.filter(({ name }) => {
    if (name === applyPatchTool.name) return PATCHING.test(model.id)
    if (testTools.includes(name)) return hasTests
    return children !== undefined || !runTools.includes(name)
  })
}

/** What models are told of them. Where a run has a schema for its result, that is the schema of an argument of `finish`. */
export function offerTools(
  turn: Pick<Turn, 'outputSchema' | 'children'>,
  model: { id: string },
  hasTests = false,
): readonly OfferedTool[] {
  const { outputSchema } = turn
  return usableTools(turn, model, hasTests).map((tool) => {
    if (tool.name !== finishTool.name) return tool
    return { ...tool, schema: outputSchema ? withOutput(outputSchema) : finish }
  })
}

function withOutput(outputSchema: JsonObject): JsonObject {
  const properties = { ...(finish['properties'] as JsonObject), output: rebase(outputSchema) }
  return { ...finish, properties, required: [...finish.required, 'output'] }
}

/** A schema that points into itself, at its new place. */
function rebase(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(rebase)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (key === '$schema' || key === '$id') return []
    const isPointer = key === '$ref' && typeof value === 'string' && /^#(\/|$)/.test(value)
    return [[key, isPointer ? value.replace('#', '#/properties/output') : rebase(value)]]
  })
  return Object.fromEntries(entries)
}

export function toolNamed(name: string): Tool | undefined {
  return allTools.find((tool) => tool.name === name)
}
