import type { Instructions, ModelMessage } from 'ai'

type Keeping = { isKeptAnHour: boolean }

/** All marks of a request are of one kind: Anthropic refuses those of an hour behind those of five minutes. */
function markOf({ isKeptAnHour }: Keeping) {
  return { anthropic: { cacheControl: { type: 'ephemeral' as const, ...(isKeptAnHour && { ttl: '1h' as const }) } } }
}

export function markInstructions(system: string, keeping: Keeping): Instructions {
  return { role: 'system', content: system, providerOptions: markOf(keeping) }
}

/** Anthropic caches up to marked messages: the newest one, and the one before it, which the last request marked. */
export function markNewest(messages: ModelMessage[], keeping: Keeping): ModelMessage[] {
  const providerOptions = markOf(keeping)
  const ends = messages.flatMap((message, index) => (message.role === 'assistant' ? [] : [index])).slice(-2)
  return messages.map((message, index) => (ends.includes(index) ? { ...message, providerOptions } : message))
}
