import type { ModelMessage, UserModelMessage } from 'ai'

const LEFT_OUT = '[image left out: this model refuses images]'

/** For a model that refuses images: words in place of each. */
export function stripImages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) => {
    if (message.role === 'user' && typeof message.content !== 'string') {
      const content = message.content.map((part) =>
        part.type === 'text' ? part : { type: 'text' as const, text: LEFT_OUT },
      )
      return { ...message, content }
    }
    return message.role === 'tool' ? splitResults(message, `\n${LEFT_OUT}`).message : message
  })
}

/** For the chat wire, on which a tool answers in text alone: the images of its answers follow as a message. */
export function placeImages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'tool') return [message]
    const { message: words, images } = splitResults(message, '')
    return images.length === 0 ? [message] : [words, { role: 'user', content: images }]
  })
}

export function hasImages(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    (message) =>
      (message.role === 'user' &&
        typeof message.content !== 'string' &&
        message.content.some(({ type }) => type !== 'text')) ||
      (message.role === 'tool' && splitResults(message, '').images.length > 0),
  )
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function splitResults(message: ToolMessage, added: string) {
  const images: Exclude<UserModelMessage['content'], string> = []
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const text = part.output.value.flatMap((value) => (value.type === 'text' ? [value.text] : [])).join('\n')
    const files = part.output.value.flatMap((value) =>
      value.type === 'file' ? [{ type: 'file' as const, mediaType: value.mediaType, data: value.data }] : [],
    )
    if (files.length === 0) return part
    images.push({ type: 'text', text: `What ${part.toolName} has shown: ${text}` }, ...files)
    return { ...part, output: { type: 'text' as const, value: `${text}${added}` } }
  })
  return { message: { ...message, content }, images }
}
