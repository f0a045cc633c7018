/** What takes no room on a screen, or moves what stands around it: a reader cannot see that it is there. */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
/**
 * What writing needs of it: line ends and tabs; a joiner between letters of scripts that have one, and between the
 * pictures that one picture is made of; the coloured shape of a sign.
 */
const writing =
  /[\n\t]|(?<=[[\p{L}\p{M}]--\p{ASCII}])[\u200c\u200d](?=[[\p{L}\p{M}]--\p{ASCII}])|(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Emoji}\p{Extended_Pictographic}])\ufe0f/gv

/** Shows what nobody can see, as `\u{…}`: control characters, zero-width ones, those that turn a line around, tags. */
export function showHidden(text: string, show: (character: string) => string = escapeOf): string {
  const lines = text.toWellFormed().replaceAll('\r\n', '\n')
  const kept = new Set([...lines.matchAll(writing)].map(({ index }) => index))
  return lines.replace(hidden, (character: string, at: number) => (kept.has(at) ? character : show(character)))
}

const escapeOf = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
