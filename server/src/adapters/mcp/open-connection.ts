import {
  Client,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { JsonObject } from '#base/json.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { version } from '#base/version.ts'
import { dialFetch } from './dial-fetch.ts'
import { mcpLimits } from './limits.ts'
import { McpFault, type McpConnection, type McpTarget, type SendChecked } from './mcp.ts'
import { readAnswer } from './read-answer.ts'
import { readTools } from './read-tools.ts'
import { SandboxTransport } from './sandbox-transport.ts'

export type OpenConnection = {
  send: SendChecked
  organizationId: number
  signal: AbortSignal
  /** For tests. */
  limits?: Partial<Pick<typeof mcpLimits, 'connectMs' | 'startMs' | 'callMs' | 'answerBytesMax'>>
}

/** Loose, because one tool that is garbage is no reason to refuse the others; each is read by itself. */
const ToolPage = z.looseObject({
  tools: z.array(z.unknown()).catch([]),
  nextCursor: z.string().optional().catch(undefined),
})
const Anything = z.looseObject({})

/** Opens one server. Rejects with an `McpFault`. */
export async function openConnection(
  target: McpTarget,
  { send, organizationId, signal, limits: own = {} }: OpenConnection,
): Promise<McpConnection> {
  const limits = { ...mcpLimits, ...own }
  const bytesMax = limits.answerBytesMax
  const { name, place } = target
  if (place.kind === 'local') {
    const transport = new SandboxTransport(place, { bytesMax })
    return connect(transport, { name, signal, timeoutMs: limits.startMs, callMs: limits.callMs })
  }
  const fetch = dialFetch(send, { asker: organizationId, bytesMax })
  const options = { fetch, requestInit: { headers: place.headers } }
  const url = new URL(place.url)
  const how = { name, signal, timeoutMs: limits.connectMs, callMs: limits.callMs }
  const once = {
    maxRetries: 0,
    initialReconnectionDelay: 1_000,
    maxReconnectionDelay: 1_000,
    reconnectionDelayGrowFactor: 1,
  }
  try {
    return await connect(new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: once }), how)
  } catch (error) {
    if (!isOldServer(error)) throw error
    return connect(new SSEClientTransport(url, options), how)
  }
}

/** Servers of before 2025 know only the transport over server-sent events, and refuse what they are posted at this address. */
function isOldServer(error: unknown): boolean {
  const cause = error instanceof McpFault ? error.cause : undefined
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status)
}

type How = { name: string; signal: AbortSignal; timeoutMs: number; callMs: number }

async function connect(transport: Transport, { name, signal, timeoutMs, callMs }: How): Promise<McpConnection> {
  const client = new Client({ name: 'runwright', version })
  const close = () => client.close().catch(() => undefined)
  const attempt = async <T>(act: () => Promise<T>, by: AbortSignal): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      by.throwIfAborted()
      throw faultOf(error, name, transport)
    }
  }
  try {
    await attempt(() => client.connect(transport, { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal }), signal)
  } catch (error) {
    await close()
    throw error
  }
  return {
    listTools: (by) =>
      attempt(async () => {
        const listed: unknown[] = []
        let cursor: string | undefined
        const until = performance.now() + timeoutMs
        for (let page = 0; page < mcpLimits.pagesMax && listed.length <= mcpLimits.toolsMax; page++) {
          const left = Math.max(1, until - performance.now())
          const params = cursor === undefined ? {} : { cursor }
          const answer = await client.request({ method: 'tools/list', params }, ToolPage, { timeout: left, signal: by })
          listed.push(...answer.tools)
          if (!(cursor = answer.nextCursor)) break
        }
        return readTools(name, listed)
      }, by),
    callTool: (tool, input: JsonObject, by) =>
      attempt(async () => {
        const params = { name: tool, arguments: input }
        const options = { timeout: callMs, maxTotalTimeout: callMs, signal: by }
        return readAnswer(await client.request({ method: 'tools/call', params }, Anything, options))
      }, by),
    [Symbol.asyncDispose]: close,
  }
}

function faultOf(error: unknown, name: string, transport: Transport): McpFault {
  const own = transport instanceof SandboxTransport ? transport.fault : undefined
  const fault = own ?? innermostFault(error) ?? error
  const status = fault instanceof SdkHttpError ? `HTTP ${fault.status}: ` : ''
  const message = status + (fault instanceof Error ? fault.message : String(fault))
  return new McpFault(`The MCP server ${name} failed: ${shortenWithin(message, 500)}`, { cause: error })
}

function innermostFault(error: unknown): McpFault | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (each instanceof McpFault) return each
  return undefined
}
