/** A list as it is typed: one item a line. */
export const toText = (items: readonly string[]): string => items.join('\n')

export const toItems = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
