import { APICallError, type ModelMessage } from 'ai'

/**
 * A message without what a model thought, and without what its provider signed besides: for providers that refuse their own
 * signatures, as after a change of the key or of the model behind a name.
 */
export function stripReasoning(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  const kept = message.content.filter(({ type }) => type !== 'reasoning')
  return { ...message, content: kept.map((part) => ('providerOptions' in part ? withoutOptions(part) : part)) }
}

function withoutOptions<T extends { providerOptions?: unknown }>(part: T): T {
  const plain = { ...part }
  delete plain.providerOptions
  return plain
}

type Authored = { messages: ModelMessage[]; authors: WeakMap<ModelMessage, string> }

/** From now on. The messages stay as many as they are. */
export function dropReasoning(conversation: Authored): void {
  const { authors } = conversation
  conversation.messages = conversation.messages.map((message) => {
    const plain = stripReasoning(message)
    const author = authors.get(message)
    if (author !== undefined) authors.set(plain, author)
    return plain
  })
}

export function hasReasoning(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'reasoning' || 'providerOptions' in part),
  )
}

/** Whether a provider may have refused a question for the thoughts in it. */
export function mayRefuseReasoning(error: unknown): boolean {
  if (!APICallError.isInstance(error) || ![400, 422].includes(error.statusCode ?? 0)) return false
  const words = `${error.message} ${error.responseBody?.slice(0, 2_000)}`
  // Who does not want to be told how much to think has nothing against thoughts.
  return /signature|encrypted[ _]content|thinking|reasoning/i.test(words) && !/effort|support/i.test(words)
}
