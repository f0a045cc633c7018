/** A server of the Model Context Protocol: tools that others make, on a host of theirs or as a command in the run's sandbox. */
import type { IncomingMessage } from 'node:http'
import type { McpAnswer, McpTool } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'

/** Where a server is, and what it is given; secrets are filled in. */
export type McpTarget = {
  name: string
  place:
    | { kind: 'remote'; url: string; headers: Record<string, string> }
    /** `isSecret`: its environment holds what other commands inside are not to see. */
    | { kind: 'local'; command: string[]; env: Record<string, string>; isSecret: boolean; sandbox: Sandbox }
}

export type ListedTools = {
  tools: McpTool[]
  /** What was left out, and why. */
  leftOut: string[]
}

/** One that is open. Its calls reject with an `McpFault`, or with the reason of the signal. */
export interface McpConnection extends AsyncDisposable {
  listTools(signal: AbortSignal): Promise<ListedTools>
  callTool(tool: string, input: JsonObject, signal: AbortSignal): Promise<McpAnswer>
}

/** Opens servers for one organization, whose share of lookups is taken. Rejects with an `McpFault`. */
export type ConnectMcp = (
  target: McpTarget,
  options: { organizationId: number; signal: AbortSignal },
) => Promise<McpConnection>

/** The server did not do what the protocol asks of it, or cannot be reached. Its message is for people and for the model. */
export class McpFault extends Error {
  override readonly name = 'McpFault'
}

/** Sends one request to a host that is checked; follows no redirect. */
export type SendChecked = (request: {
  url: URL
  asker: number
  method: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  signal?: AbortSignal
}) => Promise<IncomingMessage>
