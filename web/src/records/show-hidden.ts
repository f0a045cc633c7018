/**
 * What takes no room on a screen, or moves what stands around it. The escape character stays: it begins the colors of
 * terminals, and what else it begins is never shown.
 */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
const kept = new Set(['\n', '\t', '\u001b', '\ufe0f', '\u200d'])

/** Shows what nobody can see, as `\u{…}`. */
export function showHidden(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(hidden, (character) =>
      kept.has(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
    )
}
