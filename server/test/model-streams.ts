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

/** In pieces, as models send them. */
const words = (text = ''): string[] => text.match(/\S+\s*/g) ?? []
const bits = (text: string): string[] => text.match(/[^]{1,9}/gu) ?? []
const piecesOf = ({ text }: ScriptedAnswer): string[] => words(text)
const data = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`
const named = (event: { type: string } & Record<string, unknown>) => `event: ${event.type}\n${data(event)}`

function streamAnthropic(answer: ScriptedAnswer, whole: JsonObject): string[] {
  const { input, output, cacheRead, cacheWrite, cacheWriteHour } = countsOf(answer)
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    ...(cacheWriteHour > 0 && { cache_creation: { ephemeral_1h_input_tokens: cacheWriteHour } }),
    output_tokens: 1,
  }
  const content = whole['content'] as JsonObject[]
  return [
    named({ type: 'message_start', message: { ...whole, content: [], stop_reason: null, usage } }),
    named({ type: 'ping' }),
    ...content.flatMap((block, index) => [
      named({ type: 'content_block_start', index, content_block: emptied(block) }),
      ...deltasOf(block, answer).map((delta) => named({ type: 'content_block_delta', index, delta })),
      named({ type: 'content_block_stop', index }),
    ]),
    named({
      type: 'message_delta',
      delta: { stop_reason: whole['stop_reason'] ?? null },
      usage: { output_tokens: output },
    }),
    named({ type: 'message_stop' }),
  ]
}

function emptied(block: JsonObject): JsonObject {
  if (block['type'] === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return block['type'] === 'tool_use' ? { ...block, input: {} } : { ...block, text: '' }
}

function deltasOf(block: JsonObject, { reasoning, text }: ScriptedAnswer): JsonObject[] {
  if (block['type'] === 'text') return words(text).map((text) => ({ type: 'text_delta', text }))
  if (block['type'] === 'tool_use') {
    const input = JSON.stringify(block['input'])
    return bits(input).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  }
  const thought = words(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }))
  return [...thought, { type: 'signature_delta', signature: block['signature'] ?? '' }]
}

function streamChat(answer: ScriptedAnswer, whole: JsonObject): string[] {
  const chunk = { ...whole, object: 'chat.completion.chunk', usage: null }
  const [choice] = whole['choices'] as { message: { tool_calls?: ChatCall[] }; finish_reason: string }[]
  const say = (delta: JsonObject, finish_reason: string | null = null) =>
    data({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })
  return [
    ...words(answer.reasoning).map((reasoning_content) => say({ reasoning_content })),
    ...piecesOf(answer).map((content) => say({ content })),
    ...(choice?.message.tool_calls ?? []).flatMap(({ id, function: { name, arguments: input } }, index) => [
      say({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...bits(input).map((piece) => say({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    say({}, choice?.finish_reason),
    data({ ...chunk, choices: [], usage: whole['usage'] }),
    'data: [DONE]\n\n',
  ]
}

type ChatCall = { id: string; function: { name: string; arguments: string } }

function streamResponses(answer: ScriptedAnswer, whole: JsonObject): string[] {
  const output = whole['output'] as JsonObject[]
  const last = whole['status'] === 'incomplete' ? 'response.incomplete' : 'response.completed'
  return [
    named({ type: 'response.created', response: { ...whole, status: 'in_progress', usage: null } }),
    ...output.flatMap((item, output_index) => streamItem(answer, item, output_index)),
    named({ type: last, response: whole }),
  ]
}

function streamItem(answer: ScriptedAnswer, item: JsonObject, output_index: number): string[] {
  const { type, id: item_id } = item
  const place = { item_id, output_index }
  const done = named({ type: 'response.output_item.done', output_index, item })
  if (type === 'message')
    return [
      named({ type: 'response.output_item.added', output_index, item: { ...item, content: [] } }),
      ...piecesOf(answer).map((delta) =>
        named({ type: 'response.output_text.delta', ...place, content_index: 0, delta }),
      ),
      done,
    ]
  if (type === 'function_call')
    return [
      named({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } }),
      ...bits(item['arguments'] as string).map((delta) =>
        named({ type: 'response.function_call_arguments.delta', ...place, delta }),
      ),
      done,
    ]
  return [
    named({
      type: 'response.output_item.added',
      output_index,
      item: { ...item, summary: [], encrypted_content: null },
    }),
    named({ type: 'response.reasoning_summary_part.added', ...place, summary_index: 0 }),
    ...words(answer.reasoning).map((delta) =>
      named({ type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta }),
    ),
    named({ type: 'response.reasoning_summary_part.done', ...place, summary_index: 0 }),
    done,
  ]
}

/** Each chunk says again what was used until then. */
export function streamGoogle(answer: ScriptedAnswer, whole: JsonObject): JsonObject[] {
  const [candidate] = whole['candidates'] as { content: { parts: JsonObject[] }; finishReason: string }[]
  const { input } = countsOf(answer)
  const parts = (candidate?.content.parts ?? []).flatMap((part) =>
    typeof part['text'] === 'string' ? words(part['text']).map((text) => ({ ...part, text })) : [part],
  )
  const chunks = parts.map((part, index): JsonObject => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [part] } }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: index + 1 },
  }))
  return [...chunks, { ...whole, candidates: [{ index: 0, finishReason: candidate?.finishReason ?? 'STOP' }] }]
}
