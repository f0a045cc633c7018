import type { ModelMessage } from 'ai'

const CHARACTERS_PER_TOKEN = 3.5
const IMAGE_TOKENS = 1_200
/** As the dearest model sees it. */
export const IMAGE_TOKENS_MAX = 50_000

/** `countedTokens`: of all messages before `countedTo`. */
type Counted = { messages: ModelMessage[]; countedTokens: number; countedTo: number }

/** What the next request will hold, by the provider's last count and an estimate of what came since. */
export function estimateTokens(conversation: Counted): number {
  return conversation.countedTokens + estimateMessages(conversation.messages.slice(conversation.countedTo))
}

export function estimateMessages(messages: readonly ModelMessage[]): number {
  return sum(messages, ({ characters, images }) => Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * IMAGE_TOKENS)
}

/** No token is shorter than a byte; the bytes of images are left out. */
export function sizeOf(messages: readonly ModelMessage[]): { bytes: number; images: number } {
  return { bytes: sum(messages, ({ bytes }) => bytes), images: sum(messages, ({ images }) => images) }
}

type Measured = { characters: number; bytes: number; images: number }

const sum = (messages: readonly ModelMessage[], count: (each: Measured) => number) =>
  messages.reduce((total, message) => total + count(measure(message)), 0)

/** A message never changes, and stands in every request that follows it. */
const measured = new WeakMap<ModelMessage, Measured>()

function measure(message: ModelMessage): Measured {
  const known = measured.get(message)
  if (known) return known
  let images = 0
  const text = JSON.stringify(message, (key, value: unknown) => {
    if (key !== 'data' || typeof value !== 'string') return value
    images++
    return ''
  })
  // With the comma that divides it from the next one.
  const fresh = { characters: text.length, bytes: Buffer.byteLength(text) + 1, images }
  measured.set(message, fresh)
  return fresh
}
