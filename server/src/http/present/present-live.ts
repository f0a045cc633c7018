import type { LiveText, LiveTool } from '#domain/runs/logs/live.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentTool(tool: LiveTool): Components['LiveTool'] {
  return {
    agent_run_id: tool.runId,
    step: tool.step,
    turn: tool.turn,
    tool_name: tool.toolName,
    tool_input: tool.toolInput,
    tool_input_cut: tool.isCut,
    started_at: tool.startedAt,
    ended_at: tool.endedAt,
  }
}

export function presentText({ runId, step, turn, kind, at, text, isDone }: LiveText): Components['TextDelta'] {
  return { agent_run_id: runId, step, turn, kind, at, text, done: isDone }
}
