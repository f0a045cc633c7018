import { nothingYet, type ToolContext } from '#adapters/engines/builtin/tools/tool.ts'
import { openSessions } from '#adapters/engines/builtin/tools/open-sessions.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'

/** What a tool of the built-in agent is given, where nothing has happened yet. */
export function testContext(sandbox: Sandbox, more: Partial<ToolContext> = {}): ToolContext {
  return {
    sandbox,
    signal: new AbortController().signal,
    callName: 't1-1.1',
    canSeeImages: true,
    seen: new Map(),
    ...nothingYet,
    sessions: openSessions(),
    secrets: [],
    ...more,
  }
}
