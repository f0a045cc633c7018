import { APICallError, type LanguageModelMiddleware } from 'ai'
import type { JsonObject } from '#base/json.ts'
import { NotStreamed, type Exchange } from './fetch-model.ts'
import { giveOwnIds, type Generated, type Model } from './give-own-ids.ts'

type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Each> ? Each : never
type Content = Generated['content'][number]
type Block = Extract<Content, { type: 'text' | 'reasoning' }>

export type Streaming = {
  /** Where it is asked; servers that do not stream are remembered by it. */
  place: string
  exchange: Exchange
  /** What the model thinks or says, piece by piece; two blocks are kept apart by an empty line. */
  onText: (piece: string) => void
  /** Each event as the provider sent it. */
  onEvent: (event: JsonObject) => void
}

const PLACES_MAX = 1_000
const unstreamed = new Set<string>()

export const isUnstreamed = (place: string): boolean => unstreamed.has(place)

/**
 * Lets a model answer in a stream and gives what it would have answered in one piece, so that what is stored is the same.
 * A stream that does not come to its own end throws what `readFault` takes for a fault.
 */
export function streamAnswer(streaming: Streaming): LanguageModelMiddleware {
  const { place, exchange } = streaming
  return {
    wrapGenerate: async ({ doGenerate, model, params }) => {
      exchange.isStreamed = !unstreamed.has(place)
      const whole = async () => giveOwnIds(await doGenerate(), params.prompt)
      if (!exchange.isStreamed) return whole()
      try {
        const { stream, request, response } = await model.doStream({ ...params, includeRawChunks: true })
        const generated = giveOwnIds(await gather(stream, streaming), params.prompt)
        return { ...generated, ...(request && { request }), response: { ...response, ...generated.response } }
      } catch (error) {
        if (!(error instanceof NotStreamed) && !refusesStream(error))
          throw isOfLibrary(error) ? notAnAnswer(error) : error
        exchange.isStreamed = false
        const generated = await whole()
        if (unstreamed.size >= PLACES_MAX) unstreamed.clear()
        unstreamed.add(place)
        return generated
      }
    },
  }
}

function refusesStream(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false
  const { statusCode, message, responseBody = '' } = error
  return [400, 405, 415, 422, 501].includes(statusCode ?? 0) && /stream/i.test(message + responseBody.slice(0, 2_000))
}

async function gather(stream: ReadableStream<Part>, { onText, onEvent }: Streaming): Promise<Generated> {
  const content: Content[] = []
  const blocks = new Map<string, Block>()
  let finish: Extract<Part, { type: 'finish' }> | undefined
  let warnings: Generated['warnings'] = []
  let response: NonNullable<Generated['response']> = {}
  let hasEvents = false
  let lastWritten: Block | undefined
  for await (const part of stream) {
    if (part.type === 'raw') {
      hasEvents = true
      if (typeof part.rawValue === 'object' && part.rawValue !== null) onEvent(part.rawValue as JsonObject)
    } else if (part.type === 'error') throw faultOf(part.error)
    else if (part.type === 'finish') finish = part
    else if (part.type === 'stream-start') warnings = part.warnings
    else if (part.type === 'response-metadata') response = { ...part }
    else if (isOfBlock(part)) {
      const block = takeBlock(part, { blocks, content })
      if (!('delta' in part) || part.delta === '') continue
      onText(lastWritten && lastWritten !== block ? `\n\n${part.delta}` : part.delta)
      lastWritten = block
    } else if (isContent(part)) content.push(part)
  }
  if (!hasEvents) throw notAnAnswer()
  if (!finish || finish.finishReason.unified === 'interrupted' || finish.finishReason.unified === 'error')
    throw wasCut()
  const { finishReason, usage, providerMetadata } = finish
  const kept = content.filter((part) => part.type !== 'text' || part.text !== '' || part.providerMetadata)
  return { content: kept, finishReason, usage, warnings, response, ...(providerMetadata && { providerMetadata }) }
}

/** Anthropic's library tells of the beginning of a stream as if it were a part of the answer. */
function isContent(part: Part): part is Extract<Part, Content> {
  return !part.type.startsWith('tool-input-') && !(part.type === 'custom' && part.kind.endsWith('.message_start'))
}

type BlockPart = Extract<Part, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>

const isOfBlock = (part: Part): part is BlockPart => /^(?:text|reasoning)-(?:start|delta|end)$/.test(part.type)

/** The block that a part belongs to, with the part in it. What the newest part says beside the text counts. */
function takeBlock(part: BlockPart, { blocks, content }: { blocks: Map<string, Block>; content: Content[] }): Block {
  const type = part.type.startsWith('text') ? 'text' : 'reasoning'
  const key = `${type}/${part.id}`
  const begun = part.type.endsWith('-start') ? undefined : blocks.get(key)
  const block: Block = begun ?? { type, text: '' }
  if (!begun) {
    blocks.set(key, block)
    content.push(block)
  }
  if ('delta' in part) block.text += part.delta
  if (part.providerMetadata) block.providerMetadata = part.providerMetadata
  return block
}

const unsent = { url: '', requestBodyValues: {} }

/** As where the connection breaks off. */
const wasCut = () =>
  new APICallError({ ...unsent, message: 'The stream ended early.', statusCode: 200, isRetryable: true })

const notAnAnswer = (cause?: Error) =>
  new APICallError({
    ...unsent,
    message: cause?.message ?? 'The stream is empty.',
    statusCode: 200,
    isRetryable: false,
    ...(cause ? { cause } : { responseBody: '' }),
  })

/** Over events that lack what the library expects, it throws errors that only it understands. Those of the network have other names. */
const isOfLibrary = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'Error' && !('code' in error)

/** What a provider says in its stream, as if it had inner it instead of one. */
function faultOf(error: unknown): unknown {
  if (error instanceof Error && error.name === 'AI_InvalidResponseDataError') return wasCut()
  if (APICallError.isInstance(error) || (error instanceof Error && error.name.startsWith('AI_'))) return error
  const outer = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as JsonObject
  const inner =
    ['error', 'response'].map((name) => outer[name]).find((each) => typeof each === 'object' && each) ?? outer
  const { message, type, code, statusCode } = { ...outer, ...(inner as JsonObject) } as JsonObject & {
    message?: string
  }
  const status = [statusCode, code].map(Number).find((each) => each >= 400 && each < 600)
  return new APICallError({
    ...unsent,
    message: String(message ?? error),
    statusCode: status ?? statusBy(JSON.stringify([type, code])),
    responseBody: JSON.stringify({ type: type ?? null, code: code ?? null }),
  })
}

function statusBy(words: string): number {
  if (/rate_limit|insufficient_quota|resource_exhausted/i.test(words)) return 429
  if (/overloaded/i.test(words)) return 529
  if (/authentication|permission/i.test(words)) return 401
  return /invalid|context_length|too_large/i.test(words) ? 400 : 500
}
