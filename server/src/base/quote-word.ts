/** A word as POSIX shells read it, whatever is in it. Without NUL, which no word has. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
