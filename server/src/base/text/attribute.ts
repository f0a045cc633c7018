import { dropAllMarkers } from './hidden-marker.ts'
import { escapeInvisible } from './escape-invisible.ts'

/**
 * What a person says, as a comment that is posted by our own account: it begins with the person's name. The name is shown as code,
 * in which nothing is a link, a mention or markup. Hidden markers like our own are removed, as people may not set them.
 */
export function attribute(name: string, words: string): string {
  const shown = escapeInvisible(name, () => '')
    .replaceAll(/[`\s]+/g, ' ')
    .trim()
    .slice(0, nameCharactersMax)
    .toWellFormed()
  return `**\`${shown || 'Somebody'}\`** (through Runwright):\n\n${dropAllMarkers(words)}`
}

const nameCharactersMax = 100
