import { codeHostLimits } from '#adapters/codehosts/limits.ts'

const mark = '\n\n[cut: it is longer than GitHub takes]'

/** As much as GitHub takes of a text, with room for what is put beside it. */
export function cutText(text: string, charactersBeside = 0): string {
  const room = codeHostLimits.hostTextCharactersMax - charactersBeside
  if (text.length <= room) return text
  // Half a character would be none.
  return text.slice(0, room - mark.length).replace(/[\uD800-\uDBFF]$/, '') + mark
}

/** What a hidden marker may take. */
export const markerCharactersMax = 500
