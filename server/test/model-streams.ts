import type { JsonObject } from '#base/json.ts'
import { countsOf, type ScriptedAnswer, type Wire } from './model-wires.ts'

/** How each API streams the same: its events, as they are sent. */
export function streamOf(wire: Wire, answer: ScriptedAnswer, whole: unknown): string[] {
  return streams[wire](answer, whole as JsonObject)
}

const streams: Record<Wire, (answer: ScriptedAnswer, whole: JsonObject) => string[]> = {
  anthropic: streamAnthropic,
  chat: streamChat,
  responses: streamResponses,
  google: (answer, whole) => streamGoogle(answer, whole).map((chunk) => data(chunk)),
}

/** Words of a text, so that it comes in pieces. */
const piecesOf = ({ text = '' }: ScriptedAnswer): string[] => text.match(/\S+\s*/g) ?? []
const data = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`
const named = (event: { type: string } & Record<string, unknown>) => `event: ${event.type}\n${data(event)}`

function streamAnthropic(answer: ScriptedAnswer, whole: JsonObject): string[] {
  const { input, output, cacheRead, cacheWrite } = countsOf(answer)
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: 1,
  }
  return [
    named({ type: 'message_start', message: { ...whole, content: [], usage } }),
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...piecesOf(answer).map((text) =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    ),
    named({ type: 'content_block_stop', index: 0 }),
    named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } }),
    named({ type: 'message_stop' }),
  ]
}

function streamChat(answer: ScriptedAnswer, whole: JsonObject): string[] {
  const chunk = { ...whole, object: 'chat.completion.chunk', usage: null }
  return [
    ...piecesOf(answer).map((content) => data({ ...chunk, choices: [{ index: 0, delta: { content } }] })),
    data({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    data({ ...chunk, choices: [], usage: whole['usage'] }),
    'data: [DONE]\n\n',
  ]
}

function streamResponses(answer: ScriptedAnswer, whole: JsonObject): string[] {
  return [
    named({ type: 'response.created', response: { ...whole, status: 'in_progress', usage: null } }),
    ...piecesOf(answer).map((delta) => named({ type: 'response.output_text.delta', output_index: 0, delta })),
    named({ type: 'response.completed', response: whole }),
  ]
}

/** Each chunk says again what was used until then. */
export function streamGoogle(answer: ScriptedAnswer, whole: JsonObject): JsonObject[] {
  const pieces = piecesOf(answer)
  const { input } = countsOf(answer)
  const chunks = pieces.map((text, index): JsonObject => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: index + 1 },
  }))
  return [...chunks, { ...whole, candidates: [{ index: 0, finishReason: 'STOP' }] }]
}
