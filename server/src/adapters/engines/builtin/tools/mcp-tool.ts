import { z } from 'zod'
import type { McpServers, McpTool } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { ToolFailure, type Tool } from './tool.ts'

const PREFIX = 'mcp__'

/** Whether a call is of a tool of an MCP server, also of one that is gone. */
export const isMcpName = (name: string): boolean => name.startsWith(PREFIX)

/** A tool of an MCP server as the agent has it. Its call may do anything, whatever the server says of it: it is never made twice by itself. */
export function mcpTool({ name, server, tool, description }: McpTool, mcp: McpServers | undefined): Tool {
  return {
    name,
    description,
    // The server checks what it is sent; ours would have to trust a schema of its making.
    schema: z.looseObject({}),
    isReadOnly: false,
    isFromOutside: true,
    async run(input, { signal, canSeeImages }) {
      if (!mcp) throw new ToolFailure(`The MCP server ${server} was removed.`)
      const { text, image, isError } = await mcp.call({ server, tool, input: input as JsonObject }, signal)
      const shown = image && canSeeImages ? { image } : {}
      const unseen = image && !canSeeImages ? '\n[an image that this model cannot see]' : ''
      const output = { server, tool, text, is_error: isError }
      return { text: text + unseen, output, ...shown, ...(isError ? { isError } : {}) }
    },
  }
}
