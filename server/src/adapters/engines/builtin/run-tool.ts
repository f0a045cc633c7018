import { EngineError } from '#adapters/engines/engine.ts'
import { SandboxFileError } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import { toolNamed } from './tools/all-tools.ts'
import { ToolFailure, type ToolContext, type ToolResult } from './tools/tool.ts'

export type RanTool = { result: ToolResult; durationMs: number }

/** Runs one tool. What goes wrong with what the call asked for is a result too; it rejects when the run cannot go on. */
export async function runTool(call: { name: string; input: JsonObject }, context: ToolContext): Promise<RanTool> {
  const startedAt = performance.now()
  const result = await resultOf(call, context)
  return { result, durationMs: Math.round(performance.now() - startedAt) }
}

async function resultOf(
  { name, input }: { name: string; input: JsonObject },
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const tool = context.findTool?.(name) ?? toolNamed(name)
    if (!tool) throw new ToolFailure(`There is no tool ${name}.`)
    const result = await tool.run(input, context)
    return { ...result, text: result.isError ? `Error: ${result.text}` : result.text }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof EngineError) throw error
    if (error instanceof ToolFailure) {
      return { text: `Error: ${error.message}`, output: { ...error.output, error: error.message }, isError: true }
    }
    if (!(error instanceof SandboxFileError)) throw error
    if (error.code === 'ENOSPC')
      throw new EngineError(
        'disk_full',
        `The sandbox's disk is full: ${name} could not write. Whoever operates the service may raise RUNWRIGHT_SANDBOX_DISK_MIB.`,
      )
    const message = sayFileError(error.code, typeof input['path'] === 'string' ? input['path'] : name)
    return { text: `Error: ${message}`, output: { error: message, code: error.code }, isError: true }
  }
}

function sayFileError(code: string, path: string): string {
  if (code === 'ENOENT') return `There is no file ${path}. Find it with list or search.`
  if (code === 'EISDIR') return `${path} is a folder. Give the path of a file.`
  if (code === 'ENOTDIR') return `A part of ${path} is a file, not a folder. Give another path.`
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be touched (${code}). Give another path.`
  if (code === 'EFBIG') return `${path} is too large to take whole. Look at parts of it with a command.`
  return `${path} could not be used (${code}). Look at it with a command.`
}
