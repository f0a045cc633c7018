import type { Entry, McpListing, McpServers, Turn } from '#adapters/engines/engine.ts'
import type { Conversation } from './conversation.ts'

/**
 * The tools of the MCP servers, asked for once in a turn, before its first question: they stay the same until it ends, whatever the servers
 * say later, so that a question that is asked again is the same.
 */
export async function listMcpTools(turn: Turn, conversation: Conversation): Promise<void> {
  const { modelSteps, begun } = conversation
  if (conversation.mcp || modelSteps > 0 || begun) return
  conversation.mcp = await readMcpTools(turn)
}

/** As they were when they were asked for in this turn. Null: there are no servers. */
export async function readMcpTools(turn: Turn): Promise<McpListing | null> {
  const { mcp, number } = turn
  if (!mcp) return null
  const intent = { key: `t${number}/mcp`, kind: 'tool' as const, request: { name: 'mcp', input: {} } }
  return turn.step<McpListing>(intent, (signal) => list(mcp, signal))
}
async function list(mcp: McpServers, signal: AbortSignal): Promise<{ response: McpListing; entries: Entry[] }> {
  const listing = await mcp.list(signal)
  const servers = listing.servers.map(({ name, fault, leftOut }) => {
    const tools = listing.tools.flatMap((tool) => (tool.server === name ? [tool.name] : []))
    return { name, tools, fault, left_out: leftOut }
  })
  const observation = servers
    .map(({ name, tools, fault, left_out }) => {
      if (fault !== null) return `${fault} The run goes on without it.`
      return `${name}: ${tools.length} tools${left_out.length > 0 ? `; left out: ${left_out.join('; ')}` : ''}`
    })
    .join('\n')
  return {
    response: listing,
    entries: [{ messageType: 'ACTION', toolName: 'mcp', toolOutput: { servers }, observation }],
  }
}
