import type { McpAnswer } from '#adapters/engines/engine.ts'
import { findImageType } from '#base/find-image-type.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { mcpLimits } from './limits.ts'

const BLOCKS_MAX = 1_000
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** What a tool answered: its texts, cut in the middle where they are long, and its first image. */
export function readAnswer(answer: unknown): McpAnswer {
  const { content, structuredContent, isError } = asObject(answer)
  const blocks = (Array.isArray(content) ? content : []).slice(0, BLOCKS_MAX).map(asObject)
  const image = blocks.map(readImage).find((one) => one !== null) ?? null
  const texts = blocks.map((block) => readText(block, image))
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  return {
    text: cut(texts.filter((text) => text !== '').join('\n')) || '[no content]',
    image,
    isError: isError === true,
  }
}

function readText(block: Record<string, unknown>, shown: McpAnswer['image']): string {
  const { type, text, mimeType, uri } = block
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'image') return shown && shown.base64 === block['data'] ? '' : `[image ${sayType(mimeType)}, left out]`
  if (type === 'resource') {
    const resource = asObject(block['resource'])
    return typeof resource['text'] === 'string' ? resource['text'] : `[resource ${sayType(resource['uri'])}, left out]`
  }
  if (type === 'resource_link') return `[resource ${sayType(uri)}]`
  return `[content of the type ${sayType(type)}, left out]`
}

function readImage({ type, mimeType, data }: Record<string, unknown>): McpAnswer['image'] {
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return null
  if (!IMAGE_TYPES.includes(mimeType) || data.length > (mcpLimits.imageBytesMax * 4) / 3) return null
  // A provider that refuses an image refuses the request; one that begins like none is none.
  return isBase64(data) && findImageType(Buffer.from(data.slice(0, 32), 'base64')) !== null
    ? { mediaType: mimeType, base64: data }
    : null
}

const isBase64 = (data: string) => Buffer.from(data, 'base64').toString('base64') === data
const sayType = (value: unknown) => (typeof value === 'string' ? shortenWithin(value, 200) : 'unknown')
const asObject = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

function cut(text: string): string {
  const side = mcpLimits.sideCharactersMax
  if (text.length <= side * 2) return text.toWellFormed()
  const left = (text.length - side * 2).toLocaleString('en')
  return `${text.slice(0, side).toWellFormed()}\n[… ${left} characters left out …]\n${text.slice(-side).toWellFormed()}`
}
