import { dropAllMarkers } from './hidden-marker.ts'
import { escapeInvisible } from './escape-invisible.ts'

/**
 * What somebody says where it stands under our name: it begins with who it is. The name is shown as code, in which nothing is
 * a link, a mention or markup; and what looks like a mark of ours is none of theirs to set.
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
