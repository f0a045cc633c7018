import type { AgentRunLog } from '@runwright/sdk'
import { boundText, boundValue, type Room } from './bound-value.ts'

type Fields = Record<string, unknown>

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

export const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Milliseconds; null for what is no time. */
export function timeIn(value: unknown): number | null {
  const at = typeof value === 'string' && value.length < 40 ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** A log entry as the components of the log take it, whatever a record has in its place. */
export function readEntry(value: unknown, room: Room): AgentRunLog {
  const fields = fieldsOf(value) ?? {}
  const text = (name: string) => {
    const found = textIn(fields[name])
    return found === null ? null : boundText(found, room)
  }
  const object = (name: string) => {
    const found = fieldsOf(fields[name])
    return found && (boundValue(found, room) as Fields)
  }
  const at = new Date(timeIn(fields['created_at']) ?? 0).toISOString()
  return {
    agent_run_id: numberIn(fields['agent_run_id']) ?? 0,
    seq: numberIn(fields['seq']) ?? 0,
    created_at: at,
    turn: numberIn(fields['turn']) ?? 0,
    message_type: text('message_type') ?? 'ACTION',
    thought: text('thought'),
    tool_name: text('tool_name'),
    tool_input: object('tool_input'),
    tool_output: object('tool_output'),
    observation: text('observation') ?? object('observation'),
    duration_ms: numberIn(fields['duration_ms']),
  }
}
