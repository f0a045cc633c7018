import type { ConnectMcp, SendChecked } from './mcp.ts'

/** Opens servers through requests that are checked. The protocol's library is loaded when the first one is opened. */
export function openMcp(send: SendChecked): ConnectMcp {
  return async (target, options) => (await import('./open-connection.ts')).openConnection(target, { send, ...options })
}
