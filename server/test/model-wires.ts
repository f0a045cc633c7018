import type { JsonObject } from '#base/json.ts'

export type Wire = 'anthropic' | 'chat' | 'responses' | 'google'

/** What the model says. */
export type ScriptedAnswer = {
  text?: string
  reasoning?: string
  calls?: ScriptedCall[]
  /** Why it stopped; else by whether there are calls. */
  end?: 'cut_off' | 'refused'
  /** `cacheWriteHour` is a part of `cacheWrite`. */
  usage?: { input: number; output: number; cacheRead?: number; cacheWrite?: number; cacheWriteHour?: number }
  /** What becomes of a stream in its middle. */
  breaks?: 'cut' | 'stall' | 'garbage' | 'end' | 'overloaded'
  /** How it is sent where a stream was asked for: whole all the same, or one event after the other, so many ms apart. */
  sends?: 'whole' | number
  /** Makes another text of each that is sent: an event of a stream, or the whole. */
  alter?: (sent: string) => string
}
/** `rawInput` is sent as it is where the wire holds the input as text. */
/** `namespace`: on the responses wire, where its tool stands in one. */
export type ScriptedCall = { name: string; input?: JsonObject; rawInput?: string; id?: string; namespace?: string }

type Context = { modelId: string; number: number }
type Failure = { message: string; code: string }
type WireWords = {
  name: Wire
  path: RegExp
  answer(answer: ScriptedAnswer, context: Context): unknown
  error(failure: Failure): unknown
  /** How this API says that a prompt is too long. */
  overflow: Failure
}

/** What the model says that it has used. */
export const countsOf = ({ usage }: ScriptedAnswer) => ({
  input: 1_000,
  output: 50,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  ...usage,
})

/** How each API says the same. */
export const wires: WireWords[] = [
  {
    name: 'anthropic',
    path: /\/v1\/messages$/,
    answer: anthropicAnswer,
    error: ({ message, code }) => ({ type: 'error', error: { type: code, message } }),
    overflow: { message: 'prompt is too long: 210000 tokens > 200000 maximum', code: 'invalid_request_error' },
  },
  {
    name: 'chat',
    path: /\/v1\/chat\/completions$/,
    answer: chatAnswer,
    error: ({ message, code }) => ({ error: { message, type: code, code } }),
    overflow: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' },
  },
  {
    name: 'responses',
    path: /\/v1\/responses$/,
    answer: responsesAnswer,
    error: ({ message, code }) => ({ error: { message, type: code, code } }),
    overflow: { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' },
  },
  {
    name: 'google',
    path: /\/v1beta\/models\/[^/:]+:(?:generateContent|streamGenerateContent)$/,
    answer: googleAnswer,
    error: ({ message, code }) => ({ error: { code: 400, message, status: code } }),
    overflow: {
      message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      code: 'INVALID_ARGUMENT',
    },
  },
]

function callId({ id }: ScriptedCall, { number }: Context, index: number): string {
  return id ?? `call_${number}_${index + 1}`
}

function anthropicAnswer(answer: ScriptedAnswer, context: Context): unknown {
  const { calls = [] } = answer
  const counts = countsOf(answer)
  const signature = `signed-${context.number}`
  const stop = { cut_off: 'max_tokens', refused: 'refusal' }
  return {
    id: `msg_${context.number}`,
    type: 'message',
    role: 'assistant',
    model: context.modelId,
    content: [
      ...(answer.reasoning ? [{ type: 'thinking', thinking: answer.reasoning, signature }] : []),
      ...(answer.text ? [{ type: 'text', text: answer.text }] : []),
      ...calls.map((call, index) => ({
        type: 'tool_use',
        id: callId(call, context, index),
        name: call.name,
        input: call.input ?? {},
      })),
    ],
    stop_reason: answer.end ? stop[answer.end] : calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: {
      input_tokens: counts.input,
      output_tokens: counts.output,
      cache_read_input_tokens: counts.cacheRead,
      cache_creation_input_tokens: counts.cacheWrite,
      ...(counts.cacheWriteHour > 0 && { cache_creation: { ephemeral_1h_input_tokens: counts.cacheWriteHour } }),
    },
  }
}

function chatAnswer(answer: ScriptedAnswer, context: Context): unknown {
  const { calls = [] } = answer
  const counts = countsOf(answer)
  const stop = { cut_off: 'length', refused: 'content_filter' }
  const toolCalls = calls.map((call, index) => ({
    id: callId(call, context, index),
    type: 'function',
    function: { name: call.name, arguments: call.rawInput ?? JSON.stringify(call.input ?? {}) },
  }))
  return {
    id: `chatcmpl_${context.number}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: context.modelId,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(answer.reasoning ? { reasoning_content: answer.reasoning } : {}),
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: answer.end ? stop[answer.end] : calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: {
      prompt_tokens: counts.input,
      completion_tokens: counts.output,
      total_tokens: counts.input + counts.output,
      prompt_tokens_details: { cached_tokens: counts.cacheRead },
    },
  }
}

function responsesAnswer(answer: ScriptedAnswer, context: Context): unknown {
  const { calls = [], end } = answer
  const counts = countsOf(answer)
  const { number } = context
  const summary = [{ type: 'summary_text', text: answer.reasoning }]
  const content = [{ type: 'output_text', text: answer.text, annotations: [] }]
  const incomplete = end === 'cut_off' ? 'max_output_tokens' : 'content_filter'
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: context.modelId,
    status: end ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: end ? { reason: incomplete } : null,
    output: [
      ...(answer.reasoning
        ? [{ type: 'reasoning', id: `rs_${number}`, summary, encrypted_content: `sealed-${number}` }]
        : []),
      ...(answer.text
        ? [{ type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed', content }]
        : []),
      ...calls.map((call, index) => ({
        type: 'function_call',
        id: `fc_${number}_${index + 1}`,
        call_id: callId(call, context, index),
        name: call.name,
        ...(call.namespace && { namespace: call.namespace }),
        arguments: call.rawInput ?? JSON.stringify(call.input ?? {}),
        status: 'completed',
      })),
    ],
    usage: {
      input_tokens: counts.input,
      input_tokens_details: { cached_tokens: counts.cacheRead },
      output_tokens: counts.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: counts.input + counts.output,
    },
  }
}

function googleAnswer(answer: ScriptedAnswer, context: Context): unknown {
  const { calls = [], end } = answer
  const counts = countsOf(answer)
  const stop = { cut_off: 'MAX_TOKENS', refused: 'SAFETY' }
  const parts = [
    ...(answer.reasoning ? [{ text: answer.reasoning, thought: true }] : []),
    ...(answer.text ? [{ text: answer.text }] : []),
    ...calls.map((call) => ({
      functionCall: { name: call.name, args: call.input ?? {} },
      thoughtSignature: `signed-${context.number}`,
    })),
  ]
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: end ? stop[end] : 'STOP' }],
    modelVersion: context.modelId,
    usageMetadata: {
      promptTokenCount: counts.input,
      candidatesTokenCount: counts.output,
      totalTokenCount: counts.input + counts.output,
      cachedContentTokenCount: counts.cacheRead,
    },
  }
}
