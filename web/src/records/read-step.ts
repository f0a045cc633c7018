import { boundText, boundValue, makeRoom, type Room } from './bound-value.ts'
import { fieldsOf, numberIn, readEntry, textIn } from './read-entry.ts'
import type { RecordStep, ShownCall, StepContent } from './run-record.ts'

type Fields = Record<string, unknown>

const MESSAGES_MAX = 50
const CALLS_MAX = 50

/** What there is to show of a step. Its lines were parsed before, when the record was read. */
export function readStep({ kind, line, entry }: RecordStep): StepContent {
  const room = makeRoom()
  const fields = (line && fieldsOf(parse(line))) ?? {}
  const request = fieldsOf(fields['request']) ?? {}
  const response = fieldsOf(fields['response'])
  const text = (value: unknown) => textOf(value, room)
  const isModel = kind === 'model' && Array.isArray(request['said'])
  return {
    entry: entry && readEntry(fieldsOf(parse(entry))?.['entry'], room),
    ...nothing,
    ...(kind === 'model' && ofModel(request, response ?? {}, room)),
    ...(kind === 'tool' && { call: callOf(request, room), result: text(response?.['text']) }),
    ...(kind === 'ask' && { question: text(request['text']), reply: text(response?.['answer']) }),
    rest: isModel || kind === 'tool' || kind === 'ask' || !line ? null : boundValue(response, room),
  }
}

const nothing = {
  model: null,
  system: null,
  messages: [],
  thought: null,
  text: null,
  calls: [],
  end: null,
  inputTokens: null,
  outputTokens: null,
  call: null,
  result: null,
  question: null,
  reply: null,
} satisfies Partial<StepContent>

const parse = (line: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(line))

function ofModel(request: Fields, response: Fields, room: Room): Partial<StepContent> {
  const messages = Array.isArray(request['said']) ? request['said'].slice(0, MESSAGES_MAX) : []
  const calls = Array.isArray(response['calls']) ? response['calls'].slice(0, CALLS_MAX) : []
  const thought = textOf(response['thought'], room)
  const text = textOf(response['text'], room)
  return {
    model: textOf(response['model'] ?? request['model'], room),
    messages: messages.flatMap((one) => textOf(fieldsOf(one)?.['text'], room) ?? []),
    thought: thought === text ? null : thought,
    text,
    calls: calls.flatMap((call) => callOf(fieldsOf(call) ?? {}, room) ?? []),
    end: textOf(response['end'], room),
    inputTokens: numberIn(response['inputTokens']),
    outputTokens: numberIn(response['outputTokens']),
    system: textOf(fieldsOf(request['basis'])?.['system'], room),
  }
}

function callOf({ name, input }: Fields, room: Room): ShownCall | null {
  const named = textOf(name, room)
  if (named === null) return null
  const fields = fieldsOf(input)
  return { name: named, input: fields && (boundValue(fields, room) as Fields) }
}

function textOf(value: unknown, room: Room): string | null {
  const found = textIn(value)
  return found ? boundText(found, room) : null
}
