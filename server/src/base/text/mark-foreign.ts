import { randomBytes } from 'node:crypto'
import { stripHiddenMarkdown } from './strip-hidden-markdown.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { shortenWithin } from './shorten.ts'

export type MarkForeign = {
  /** Whose words these are, for the model: `shell: npm test`, `comment of mallory at issue 7`. */
  from: string
  /** A word that the text's writer cannot know: of `generateSeal`, and kept as long as the same text is shown. */
  seal: string
  /** People read it on a page that leaves out comments and hidden characters, and so it is for a model. */
  isRendered?: boolean
}

const fromCharactersMax = 120
const sealBytes = 8

/**
 * A text from outside as a model is to read it: as data, between marks that name its origin. It cannot end them itself,
 * since they hold the seal, which it does not know, and which is taken out of it if it does.
 */
export function markForeign(text: string, { from, seal, isRendered = false }: MarkForeign): string {
  const seen = withoutSeal(isRendered ? stripHiddenMarkdown(text) : escapeInvisible(text), seal)
  const origin = escapeInvisible(from).replaceAll(/\s+/g, ' ').replaceAll(/["<>]/g, "'").trim()
  const shown = shortenWithin(origin, fromCharactersMax)
  return `<data seal="${seal}" from="${shown}">\n${seen}${seen.endsWith('\n') || seen === '' ? '' : '\n'}</data seal="${seal}">`
}

/** In any case of its letters. */
function withoutSeal(text: string, seal: string): string {
  // Of the same length, as lower-case letters of other scripts are not always.
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const parts = lower.split(seal.toLowerCase())
  let at = 0
  return parts
    .map((part) => {
      const kept = text.slice(at, at + part.length)
      at += part.length + seal.length
      return kept
    })
    .join('[seal]')
}

export function generateSeal(): string {
  return randomBytes(sealBytes).toString('hex')
}
