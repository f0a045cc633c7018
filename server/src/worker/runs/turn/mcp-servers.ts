import type { McpAnswer, McpListing, McpServers, McpTool } from '#adapters/engines/engine.ts'
import { mcpLimits } from '#adapters/mcp/limits.ts'
import { McpFault, type ListedTools, type McpConnection, type McpTarget } from '#adapters/mcp/mcp.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { readTarget } from '#domain/repos/mcp-servers/read-target.ts'
import type { McpServer } from '#domain/repos/mcp-servers/mcp-server.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'

export type OpenMcpServers = {
  organizationId: number
  servers: readonly McpServer[]
  secrets: readonly RunSecret[]
  /** Where those start that are commands. */
  sandbox: Sandbox
}

type TurnServers = McpServers & AsyncDisposable

/** The MCP servers of a turn. Each is connected when it is first needed, stays so until the turn ends, and is connected anew after a failure. */
export function openMcpServers(
  app: Pick<App, 'connectMcp' | 'mask'>,
  { organizationId, servers, secrets, sandbox }: OpenMcpServers,
): TurnServers {
  const ending = new AbortController()
  const open = new Map<string, Promise<McpConnection>>()
  const connect = async (server: McpServer): Promise<McpConnection> => {
    const target = targetOf(server, { secrets, sandbox })
    // The signal of one call does not end what later calls use.
    return app.connectMcp(target, { organizationId, signal: ending.signal })
  }
  const drop = async (name: string) => {
    const connection = open.get(name)
    open.delete(name)
    await connection?.then((one) => one[Symbol.asyncDispose]()).catch(() => undefined)
  }
  /** Whatever goes wrong with a server closes its connection: what comes late over it belongs to nothing. */
  const using = async <T>(server: McpServer, signal: AbortSignal, act: (connection: McpConnection) => Promise<T>) => {
    try {
      const connection = open.get(server.name) ?? connect(server)
      open.set(server.name, connection)
      return await act(await aborted(connection, signal))
    } catch (error) {
      void drop(server.name)
      signal.throwIfAborted()
      if (error instanceof McpFault) return app.mask(error.message)
      throw error
    }
  }
  return {
    list: async (signal) => {
      const listed = await Promise.all(servers.map((server) => using(server, signal, (one) => one.listTools(signal))))
      return listingOf(servers, listed)
    },
    call: async ({ server: name, tool, input }, signal): Promise<McpAnswer> => {
      const server = servers.find((one) => one.name === name)
      if (!server) return { text: `The MCP server ${name} was removed.`, image: null, isError: true }
      const answer = await using(server, signal, (one) => one.callTool(tool, input, signal))
      if (typeof answer === 'string') return { text: answer, image: null, isError: true }
      return { ...answer, text: app.mask(answer.text) }
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await Promise.all([...open.keys()].map(drop))
    },
  }
}

function targetOf(server: McpServer, { secrets, sandbox }: Pick<OpenMcpServers, 'secrets' | 'sandbox'>): McpTarget {
  const target = readTarget(server, secrets)
  if ('fault' in target) throw new McpFault(`The MCP server ${server.name} failed: ${target.fault}`)
  const { name, place } = target
  return { name, place: place.kind === 'local' ? { ...place, sandbox } : place }
}

async function aborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Sorted, and no more of all of them than a model should have to read. */
function listingOf(servers: readonly McpServer[], listed: (ListedTools | string)[]): McpListing {
  const tools: McpTool[] = []
  let characters = 0
  const described = servers.map(({ name }, index) => {
    const answer = listed[index]!
    if (typeof answer === 'string') return { name, fault: answer, leftOut: [] }
    const leftOut = [...answer.leftOut]
    for (const tool of answer.tools) {
      const size = JSON.stringify([tool.name, tool.description, tool.inputSchema]).length
      if (characters + size > mcpLimits.offeredCharactersMax) leftOut.push(`${tool.name}: there are too many tools`)
      else {
        characters += size
        tools.push(tool)
      }
    }
    return { name, fault: null, leftOut: leftOut.slice(0, LEFT_OUT_MAX) }
  })
  return { tools: tools.sort((one, other) => (one.name < other.name ? -1 : 1)), servers: described }
}

const LEFT_OUT_MAX = 20
