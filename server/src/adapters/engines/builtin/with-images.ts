import type { ModelMessage } from 'ai'
import type { Turn } from '#adapters/engines/engine.ts'

/** The messages with the bytes of people's images in place of their names. */
export async function withImages(turn: Pick<Turn, 'readImage'>, messages: ModelMessage[]): Promise<ModelMessage[]> {
  return Promise.all(
    messages.map(async (message) => {
      if (message.role !== 'user' || typeof message.content === 'string') return message
      const content = message.content.map(async (part) => {
        if (part.type !== 'file' || typeof part.data !== 'string') return part
        const bytes = await turn.readImage({ sha256: part.data, mediaType: part.mediaType })
        return { ...part, data: { type: 'data' as const, data: bytes.toString('base64') } }
      })
      return { ...message, content: await Promise.all(content) }
    }),
  )
}
