import { Type } from 'typebox'
import { AnyObject, Component, Id, Nullable, pageNumbers, RefTo, Time } from './fields.ts'
import { runHeadFields } from './run.ts'

const LogEntry = Component('AgentRunLog', {
  agent_run_id: Id,
  seq: Type.Integer({ minimum: 1, description: 'Sequence number within the run: 1, 2, 3, … without gaps.' }),
  created_at: Time,
  turn: Type.Integer({ minimum: 1 }),
  message_type: Type.String({
    description: '`ACTION`, `PLAN_EVALUATION`, `FINAL_ANSWER`, `ERROR`, `USER_MESSAGE`, …',
  }),
  thought: Nullable(Type.String()),
  tool_name: Nullable(Type.String()),
  tool_input: Nullable(AnyObject()),
  tool_output: Nullable(AnyObject()),
  observation: Type.Unsafe<Record<string, unknown> | string | null>({
    type: ['object', 'string', 'null'],
    additionalProperties: true,
  }),
  duration_ms: Nullable(Type.Integer({ minimum: 0 })),
})

const { total: total_logs, ...numbers } = pageNumbers

const RunWithLogs = Component('AgentRunWithLogsResponse', {
  ...runHeadFields,
  logs: Type.Array(RefTo(LogEntry)),
  total_logs,
  ...numbers,
})

export const logComponents = [LogEntry, RunWithLogs]
