/** The single letters of texts as they are written, each in quotes; none that would have to be escaped. */
export function lettersOf(texts: string[], quote: string): string[] {
  const letters = texts.flatMap((text) => Array.from(text.slice(1, -1)).filter((letter) => !/[\\'"`]/.test(letter)))
  return [...new Set(letters)].map((letter) => quote + letter + quote)
}
