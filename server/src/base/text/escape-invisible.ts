/**
 * What takes no room on a screen, or moves what stands around it: a reader cannot see that it is there. Tabs and line ends
 * are writing.
 */
const hidden = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** Shows what nobody can see, as `\u{…}`: control characters, zero-width ones, those that turn a line around, tags. */
export function escapeInvisible(text: string, show: (character: string) => string = escapeOf): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(hidden, (character: string, at: number, lines: string) =>
      isWriting(character, at, lines) ? character : show(character),
    )
}

/**
 * What writing needs of it: a joiner between letters of scripts that have one, and between the pictures that one picture is
 * made of; the coloured shape of a sign.
 */
function isWriting(character: string, at: number, text: string): boolean {
  if (character === '\ufe0f') return /[\p{Emoji}\p{Extended_Pictographic}]/u.test(lastOf(text, at))
  if (character !== '\u200c' && character !== '\u200d') return false
  const next = text.codePointAt(at + 1) ?? 0
  // Most of what stands beside a joiner that hides something is seen by its number alone.
  if (next <= 0x7f || next === 0x200c || next === 0x200d) return false
  const [before, after] = [lastOf(text, at), String.fromCodePoint(next)]
  if (isLetter(before) && isLetter(after)) return true
  return character === '\u200d' && /\p{Extended_Pictographic}/u.test(after) && isPicture(before, at, text)
}

const isLetter = (character: string) => character > '\x7f' && /[\p{L}\p{M}]/u.test(character)

function isPicture(last: string, end: number, text: string): boolean {
  if (/[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(last)) return true
  return last === '\ufe0f' && /\p{Extended_Pictographic}/u.test(lastOf(text, end - 1))
}

/** The character that ends there, be it of one unit or of two. */
function lastOf(text: string, end: number): string {
  if (end < 1) return ''
  const isPair = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff
  return text.slice(isPair ? end - 2 : end - 1, end)
}

const escapeOf = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
