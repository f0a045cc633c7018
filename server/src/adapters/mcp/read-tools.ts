import { createHash } from 'node:crypto'
import type { McpTool } from '#adapters/engines/engine.ts'
import { escapeInvisible } from '#base/text/escape-invisible.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { cleanSchema } from './clean-schema.ts'
import { mcpLimits } from './limits.ts'
import type { ListedTools } from './mcp.ts'

const LEFT_OUT_MAX = 20

/** The tools of one server as models may be told of them, whatever it says of them. */
export function readTools(server: string, listed: readonly unknown[]): ListedTools {
  const tools = new Map<string, McpTool>()
  const leftOut: string[] = []
  for (const each of listed) {
    const read = readTool(server, each)
    if (typeof read === 'string') leftOut.push(read)
    else if (tools.has(read.name)) leftOut.push(`${read.name}: named twice`)
    else if (tools.size >= mcpLimits.toolsMax) leftOut.push(`${read.name}: more than ${mcpLimits.toolsMax} tools`)
    else tools.set(read.name, read)
  }
  return { tools: [...tools.values()], leftOut: leftOut.slice(0, LEFT_OUT_MAX) }
}

/** One tool; or why it is left out. */
function readTool(server: string, listed: unknown): McpTool | string {
  if (typeof listed !== 'object' || listed === null) return 'a tool that is no object'
  const { name, description, inputSchema } = listed as Record<string, unknown>
  if (typeof name !== 'string' || name === '' || name.length > 200) return 'a tool without a name'
  const shown = modelName(server, name)
  const schema = cleanSchema(inputSchema)
  if (!schema) return `${shown}: its arguments are not described, or at too great length`
  const words =
    typeof description === 'string'
      ? escapeInvisible(shortenWithin(description, mcpLimits.descriptionCharactersMax))
      : ''
  return {
    name: shown,
    server,
    tool: name,
    description: `Of the MCP server ${server}, in its words: ${words}`,
    inputSchema: schema,
  }
}

/** `mcp__server__tool`, of characters that every provider takes; a long name ends in a hash of the whole. */
function modelName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool.replace(/[^a-zA-Z0-9_-]/g, '_')}`
  if (name.length <= mcpLimits.toolNameCharactersMax) return name
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${name.slice(0, mcpLimits.toolNameCharactersMax - 9)}_${hash}`
}
