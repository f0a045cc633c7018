import type { Json, JsonObject } from '#base/json.ts'
import type { TokenCounts } from './price-usage.ts'

/** The four ways in which models are asked. */
export type Wire = 'anthropic' | 'chat' | 'responses' | 'google'

/** What one event of a stream, or a whole answer, says of what was used, and whether the answer is complete with it. */
export type EventCounts = { counts: Partial<TokenCounts>; isLast: boolean }

export function readCounts(wire: Wire, event: JsonObject): EventCounts {
  return readers[wire](event)
}

const readers: Record<Wire, (event: JsonObject) => EventCounts> = {
  anthropic: readAnthropic,
  chat: readChat,
  responses: readResponses,
  google: readGoogle,
}

/** Its input leaves out what was cached. A stream begins with what was read, and goes on with what was written. */
function readAnthropic(event: JsonObject): EventCounts {
  const message = objectIn(event, 'message')
  const usage = objectIn(message, 'usage') ?? objectIn(event, 'usage')
  const isLast = event['type'] === 'message' || event['type'] === 'message_stop'
  if (!usage) return { counts: {}, isLast }
  const written = numberIn(usage, 'output_tokens')
  const fresh = event['type'] === 'message_delta' ? undefined : numberIn(usage, 'input_tokens')
  const cacheReadTokens = numberIn(usage, 'cache_read_input_tokens') ?? 0
  const cacheWriteTokens = numberIn(usage, 'cache_creation_input_tokens') ?? 0
  const cacheWriteHourTokens = numberIn(objectIn(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')
  const read =
    fresh === undefined
      ? {}
      : {
          inputTokens: fresh + cacheReadTokens + cacheWriteTokens,
          cacheReadTokens,
          cacheWriteTokens,
          ...(cacheWriteHourTokens !== undefined && { cacheWriteHourTokens }),
        }
  return { counts: { ...read, ...(written !== undefined && { outputTokens: written }) }, isLast }
}

/** A stream says it in its last chunk, whose choices are empty. */
function readChat(event: JsonObject): EventCounts {
  const usage = objectIn(event, 'usage')
  if (!usage) return { counts: {}, isLast: false }
  const cacheReadTokens = numberIn(objectIn(usage, 'prompt_tokens_details'), 'cached_tokens') ?? 0
  return {
    counts: {
      inputTokens: numberIn(usage, 'prompt_tokens') ?? 0,
      cacheReadTokens,
      cacheWriteTokens: 0,
      outputTokens: numberIn(usage, 'completion_tokens') ?? 0,
    },
    isLast: event['object'] === 'chat.completion',
  }
}

function readResponses(event: JsonObject): EventCounts {
  const response = objectIn(event, 'response') ?? event
  const usage = objectIn(response, 'usage')
  const { type, object } = event
  const isWhole = typeof object === 'string' && object.startsWith('response')
  const isLast =
    isWhole || type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed'
  if (!usage) return { counts: {}, isLast }
  const details = objectIn(usage, 'input_tokens_details')
  return {
    counts: {
      inputTokens: numberIn(usage, 'input_tokens') ?? 0,
      cacheReadTokens: numberIn(details, 'cached_tokens') ?? 0,
      cacheWriteTokens: numberIn(details, 'cache_write_tokens') ?? 0,
      outputTokens: numberIn(usage, 'output_tokens') ?? 0,
    },
    isLast,
  }
}

/** Each chunk says it again; what was thought is not among the candidates'. */
function readGoogle(event: JsonObject): EventCounts {
  const usage = objectIn(event, 'usageMetadata')
  const [candidate] = listIn(event, 'candidates')
  const isLast = typeof candidate?.['finishReason'] === 'string' || objectIn(event, 'promptFeedback') !== undefined
  if (!usage) return { counts: {}, isLast }
  return {
    counts: {
      inputTokens: (numberIn(usage, 'promptTokenCount') ?? 0) + (numberIn(usage, 'toolUsePromptTokenCount') ?? 0),
      cacheReadTokens: numberIn(usage, 'cachedContentTokenCount') ?? 0,
      cacheWriteTokens: 0,
      outputTokens: (numberIn(usage, 'candidatesTokenCount') ?? 0) + (numberIn(usage, 'thoughtsTokenCount') ?? 0),
    },
    isLast,
  }
}

/** How many characters a model has written in this event, with what it thought and asked of tools. */
export function readText(wire: Wire, event: JsonObject): number {
  if (wire === 'anthropic') return lengthOf(objectIn(event, 'delta')) || lengthOf(event['content'])
  if (wire === 'chat')
    return lengthOf(listIn(event, 'choices').map((choice) => choice['delta'] ?? choice['message'] ?? null))
  if (wire === 'google') return lengthOf(listIn(event, 'candidates').map((candidate) => candidate['content'] ?? null))
  return typeof event['delta'] === 'string' ? event['delta'].length : lengthOf(event['output'])
}

/** Of all texts in it, however deep. */
function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part), 0)
}

function objectIn(value: JsonObject | undefined, name: string): JsonObject | undefined {
  const part = value?.[name]
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? part : undefined
}

function listIn(value: JsonObject, name: string): JsonObject[] {
  const part = value[name]
  return Array.isArray(part) ? part.filter((one): one is JsonObject => typeof one === 'object' && one !== null) : []
}

function numberIn(value: JsonObject | undefined, name: string): number | undefined {
  const part = value?.[name]
  return typeof part === 'number' && Number.isFinite(part) ? part : undefined
}
