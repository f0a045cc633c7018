const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const charactersMax = 253
/** `127.1`, `0x7f000001` and `2130706433` are addresses to some resolvers, and names to others. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/

/**
 * A host's name in the one way of writing it, for comparison: lower case, without the dot at its end. Undefined for
 * everything else, among it addresses in all their spellings; names beyond ASCII are written as `xn--…`.
 */
export function parseHostName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (name.length > charactersMax || endsInNumber.test(name)) return undefined
  return name.split('.').every((label) => labelPattern.test(label)) ? name : undefined
}
