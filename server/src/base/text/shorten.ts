/** The beginning of a text that is longer than this, and a mark. Half a character at its end becomes a replacement character. */
export function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax).toWellFormed()}…` : text
}

/** The same, where the mark counts too. */
export function shortenWithin(text: string, charactersMax: number): string {
  return text.length > charactersMax ? shorten(text, charactersMax - 1) : text
}
