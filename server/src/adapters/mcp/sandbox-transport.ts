import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Exec } from '#adapters/sandboxes/sandbox.ts'
import { McpFault, type McpTarget } from './mcp.ts'
import { mcpLimits } from './limits.ts'

type Local = Extract<McpTarget['place'], { kind: 'local' }>

const STDERR_CHARACTERS_MAX = 500

/** The protocol's stdio transport, to a command in a sandbox: one message a line. What is no message is passed over. */
export class SandboxTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Why it ended by itself. */
  fault: McpFault | undefined
  readonly #local: Local
  readonly #bytesMax: number
  #exec: Exec | undefined
  #pending: Buffer[] = []
  #stderr = ''
  /** Since the last message was sent. */
  #bytes = 0
  #lines = 0
  #isClosed = false

  constructor(local: Local, { bytesMax = mcpLimits.answerBytesMax }: { bytesMax?: number } = {}) {
    this.#local = local
    this.#bytesMax = bytesMax
  }

  async start(): Promise<void> {
    const { sandbox, command, env, isSecret } = this.#local
    this.#exec = sandbox.exec({
      argv: command,
      env,
      ownNamespace: isSecret,
      interactive: true,
      timeoutMs: mcpLimits.lifetimeMs,
      outputBytesMax: 0,
      onOutput: (stream, chunk) => (stream === 'stdout' ? this.#take(Buffer.from(chunk)) : this.#note(chunk)),
    })
    void this.#exec.result.then(({ exitCode, reason }) => {
      const printed = this.#stderr.trim()
      const how = reason === 'exited' ? `exit code ${exitCode}` : reason
      this.#end(new McpFault(`Its command ended (${how})${printed ? `: ${printed}` : '.'}`))
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw this.fault ?? new McpFault('It is closed.')
    this.#bytes = this.#lines = 0
    this.#exec?.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    this.#end(undefined)
    this.#exec?.kill()
  }

  #end(fault: McpFault | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.fault = fault
    this.#pending = []
    this.onclose?.()
  }

  #refuse(what: string): void {
    this.#end(new McpFault(`It sent more than ${what} for one request.`))
    this.#exec?.kill()
  }

  #note(chunk: Uint8Array): void {
    this.#stderr = `${this.#stderr}${Buffer.from(chunk).toString()}`.slice(-STDERR_CHARACTERS_MAX)
  }

  #take(chunk: Buffer): void {
    if (this.#isClosed) return
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) return this.#refuse(`${this.#bytesMax} bytes`)
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#pending.push(chunk.subarray(from, end))
      const line = Buffer.concat(this.#pending)
      this.#pending = []
      from = end + 1
      if (++this.#lines > mcpLimits.answerLinesMax) return this.#refuse(`${mcpLimits.answerLinesMax} lines`)
      this.#hear(line.toString())
      if (this.#isClosed) return
    }
    if (from < chunk.length) this.#pending.push(chunk.subarray(from))
  }

  #hear(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return
    }
    if (isMessage(message)) this.onmessage?.(message)
  }
}

/** What the library then checks by itself: what is none it would refuse at length. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || (value as { jsonrpc?: unknown }).jsonrpc !== '2.0') return false
  if ('method' in value) return typeof value.method === 'string'
  const { id, result, error } = value as { id?: unknown; result?: unknown; error?: unknown }
  return (typeof id === 'number' || typeof id === 'string') && typeof (result ?? error) === 'object'
}
