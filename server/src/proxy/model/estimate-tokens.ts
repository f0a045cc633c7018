import type { Json } from '#base/json.ts'

/** About how many characters of text and code one token is, where nobody has counted. */
const charactersPerToken = 3.5
/** What an image or a file counts for, whose bytes stand in the request as text. */
const tokensPerFile = 1_200
const fileLengthMin = 4_096

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** What a model will read of a request, roughly. */
export function estimateTokens(value: Json): number {
  if (typeof value === 'string') return isFile(value) ? tokensPerFile : tokensOf(value.length)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + estimateTokens(part), 0)
}

function isFile(text: string): boolean {
  return text.length >= fileLengthMin && (text.startsWith('data:') || /^[A-Za-z0-9+/_-]+=*$/.test(text))
}
