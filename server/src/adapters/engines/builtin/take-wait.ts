import type { ToolResult } from './tools/tool.ts'

/** Calls that take longer outlast the five minutes for which Anthropic keeps what it has read, with what the model takes to answer. */
const LONG_SECONDS = 240

/** Whether a call shows that the run waits in a way that comes again: a long test suite is run after each change. */
export function takeWait(
  conversation: { callSeconds: number; hasWaited: boolean },
  { name }: { name: string },
  { output, isError }: ToolResult,
): void {
  if (name === 'start_run' && !isError) conversation.hasWaited = true
  const seconds = name === 'shell' ? output['seconds'] : name === 'session' ? output['waited_seconds'] : 0
  if (typeof seconds === 'number') conversation.callSeconds += seconds
  if (conversation.callSeconds >= LONG_SECONDS) conversation.hasWaited = true
}
