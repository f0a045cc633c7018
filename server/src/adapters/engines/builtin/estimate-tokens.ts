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
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0)
}

function estimateMessage(message: ModelMessage): number {
  let images = 0
  const text = JSON.stringify(message, (key, value: unknown) => {
    if (key !== 'data' || typeof value !== 'string') return value
    images++
    return ''
  })
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN) + images * IMAGE_TOKENS
}

/** No token is shorter than a byte; the bytes of images are left out. */
export function sizeOf(messages: readonly ModelMessage[]): { bytes: number; images: number } {
  let images = 0
  const text = JSON.stringify(messages, (key, value: unknown) => {
    if (key !== 'data' || typeof value !== 'string') return value
    images++
    return ''
  })
  return { bytes: Buffer.byteLength(text), images }
}
