import type { Json } from '#base/json.ts'

/** About how many characters of text and code one token is, where nobody has counted. */
const charactersPerToken = 3.5
/** What an image or a file counts for, whose bytes stand in the request as text. */
const tokensPerFile = 1_200
const fileLengthMin = 4_096
/** The most that they may count for: an image as the dearest model sees it; what is heard, watched or read page by page. */
const tokensPerImageMax = 50_000
const tokensPerRecordingMax = 2_000_000
/** What a provider adds to each request of its own, such as how tools are to be called. */
const tokensAddedMax = 2_000

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** What a model will read of a request, roughly. */
export function estimateTokens(value: Json): number {
  if (typeof value === 'string') return isFile(value) ? tokensPerFile : tokensOf(value.length)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + estimateTokens(part), 0)
}

/** What it cannot be more than, whoever has written it: no token is shorter than a byte. */
export function tokensAtMost(body: Json, bytes: number): number {
  return bytes + tokensAddedMax + tokensOfMedia(body)
}

function tokensOfMedia(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value).reduce<number>((sum, part) => sum + tokensOfMedia(part), 0)
  return parts + (Array.isArray(value) ? 0 : tokensOfPart(value))
}

function tokensOfPart({ type, inlineData, inline_data: data }: { [name: string]: Json }): number {
  const inline = inlineData ?? data
  if (typeof inline === 'object' && inline !== null && !Array.isArray(inline)) {
    const kind = inline['mimeType'] ?? inline['mime_type']
    return typeof kind === 'string' && kind.startsWith('image/') ? tokensPerImageMax : tokensPerRecordingMax
  }
  if (type === 'image' || type === 'image_url' || type === 'input_image') return tokensPerImageMax
  return type === 'document' || type === 'input_file' || type === 'file' || type === 'input_audio'
    ? tokensPerRecordingMax
    : 0
}

function isFile(text: string): boolean {
  return text.length >= fileLengthMin && (text.startsWith('data:') || /^[A-Za-z0-9+/_-]+=*$/.test(text))
}
