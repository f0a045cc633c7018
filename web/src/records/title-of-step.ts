import { argumentOf } from '#log/entry-facts.ts'
import { fieldsOf, textIn } from './read-entry.ts'
import type { StepKind } from './run-record.ts'

/** A step in one line, for steps that the log does not tell of. */
export function titleOfStep(kind: StepKind, fields: Record<string, unknown>): string {
  const request = fieldsOf(fields['request'])
  const response = fieldsOf(fields['response'])
  if (kind === 'ask') return lineOf(request?.['text']) ?? 'Question'
  if (kind === 'tool') {
    const name = lineOf(request?.['name']) ?? 'Tool'
    return `${name} ${argumentOf(fieldsOf(request?.['input']))}`.trim()
  }
  if (kind === 'note') return lineOf(fields['key']) ?? 'Note'
  const calls = Array.isArray(response?.['calls']) ? response['calls'].slice(0, CALLS_NAMED) : []
  const names = calls.map((call) => textIn(fieldsOf(call)?.['name']) ?? '?').join(', ')
  const end = textIn(response?.['end'])
  if (response?.['summary'] !== undefined || request?.['reason'] !== undefined) return 'Conversation shortened'
  return (
    lineOf(response?.['text']) ??
    lineOf(response?.['thought']) ??
    (names ? `Calls ${names}` : end && end !== 'answered' ? `No answer: ${end.replaceAll('_', ' ')}` : 'No answer')
  )
}

const CALLS_NAMED = 5

function lineOf(value: unknown): string | null {
  const text = textIn(value)?.trim()
  return text ? text.split('\n', 1)[0]! : null
}
