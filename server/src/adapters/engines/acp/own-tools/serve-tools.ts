import { readFileSync } from 'node:fs'
import { McpServer, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import type { ExecRequest, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import { version } from '#base/version.ts'

/** The name under which agents know the tools. */
export const ownServer = 'runwright'

/** All that comes from an agent's side in one turn. */
const HEARD_BYTES_MAX = 64 * 1024 * 1024
const CONNECTIONS_MAX = 20

export type OfferedTool = { name: string; description: string; inputSchema: JsonObject }
export type ToolAnswer = { text: string; isError: boolean; image?: { mediaType: string; base64: string } | undefined }

export type ServeTools = {
  sandbox: Sandbox
  /** A folder inside, for the program and the socket. */
  folder: string
  tools: readonly OfferedTool[]
  call: (name: string, input: JsonObject) => Promise<ToolAnswer>
  signal: AbortSignal
}

export type ServedTools = AsyncDisposable & {
  /** How an agent starts the server, as the Agent Client Protocol wants it said. */
  readonly server: { name: string; command: string; args: string[]; env: [] }
  /** Whether the agent has asked for the tools, so that it knows of them. */
  readonly wereListed: boolean
}

/**
 * Offers tools to an agent in a sandbox, as an MCP server. The server itself is here: what the agent starts hands on what it is told,
 * through a socket in its home. Whatever runs in the sandbox can call them, as it can do all that the agent can.
 */
export async function serveTools({ sandbox, folder, tools, call, signal }: ServeTools): Promise<ServedTools> {
  const program = `${folder}/tools.mjs`
  const socket = `${folder}/tools.sock`
  const node = `${sandbox.paths.nodeFolder}/node`
  await sandbox.writeFile(program, readFileSync(new URL('./relay.mjs', import.meta.url)))
  const state = { wereListed: false }
  const connections = new Map<number, Connection>()
  const listening = Promise.withResolvers<void>()
  const take = ({ id, line }: { id: number; line?: string }) => {
    if (id === 0) return listening.resolve()
    const known = connections.get(id)
    if (line === undefined) {
      connections.delete(id)
      return known?.end()
    }
    if (!known && connections.size >= CONNECTIONS_MAX) return
    const connection = known ?? new Connection((text) => exec.write(`${JSON.stringify({ id, line: text })}\n`))
    if (!known) {
      connections.set(id, connection)
      void serverOf({ tools, call, onListed: () => void (state.wereListed = true) }).connect(connection)
    }
    connection.hear(line)
  }
  const exec = startRelay(sandbox, { argv: [node, program, 'listen', socket], signal, take })
  void exec.result.then(() => {
    listening.resolve()
    for (const connection of connections.values()) connection.end()
  })
  await listening.promise
  return {
    server: { name: ownServer, command: node, args: [program, 'connect', socket], env: [] },
    get wereListed() {
      return state.wereListed
    },
    [Symbol.asyncDispose]: async () => {
      exec.kill()
      await exec.result
    },
  }
}

type Relay = Pick<ExecRequest, 'argv' | 'signal'> & { take: (message: { id: number; line?: string }) => void }

function startRelay(sandbox: Sandbox, { take, ...request }: Relay) {
  let pending = ''
  let bytes = 0
  const decoder = new TextDecoder()
  const exec = sandbox.exec({
    ...request,
    interactive: true,
    timeoutMs: sandbox.limits.lifetimeMs,
    outputBytesMax: 0,
    onOutput: (stream, chunk) => {
      if (stream === 'stderr') return
      bytes += chunk.length
      if (bytes > HEARD_BYTES_MAX) return exec.kill()
      const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) {
        const message = parse(line) as { id?: unknown; line?: unknown } | null | undefined
        if (typeof message?.id !== 'number') continue
        take({ id: message.id, ...(typeof message.line === 'string' && { line: message.line }) })
      }
    },
  })
  return exec
}

function serverOf({ tools, call, onListed }: Pick<ServeTools, 'tools' | 'call'> & { onListed: () => void }): McpServer {
  const mcp = new McpServer({ name: ownServer, version }, { capabilities: { tools: {} } })
  mcp.server.setRequestHandler('tools/list', () => {
    onListed()
    return { tools: tools.map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, type: 'object' as const } })) }
  })
  mcp.server.setRequestHandler('tools/call', async ({ params }) => {
    const { text, isError, image } = await call(params.name, (params.arguments ?? {}) as JsonObject)
    const shown = image ? [{ type: 'image' as const, mimeType: image.mediaType, data: image.base64 }] : []
    return { content: [{ type: 'text' as const, text }, ...shown], isError }
  })
  return mcp
}

/** One of an agent's connections. What is no message is passed over. */
class Connection implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #write: (text: string) => void
  readonly #early: JSONRPCMessage[] = []
  #isStarted = false

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  async start(): Promise<void> {
    this.#isStarted = true
    for (const message of this.#early.splice(0)) this.onmessage?.(message)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(JSON.stringify(message))
  }

  async close(): Promise<void> {
    this.end()
  }

  end(): void {
    this.onclose?.()
  }

  hear(line: string): void {
    const message = parse(line)
    if (typeof message !== 'object' || message === null) return
    if (this.#isStarted) this.onmessage?.(message as JSONRPCMessage)
    else this.#early.push(message as JSONRPCMessage)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
