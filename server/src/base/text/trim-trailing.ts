/** A text without the row of one character that it ends in. A pattern such as `/-+$/` looks at each row in it again and again. */
export function trimTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
