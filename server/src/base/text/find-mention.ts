import { readProse } from './read-prose.ts'

/**
 * Whether people who read the text see that somebody is mentioned by this name: outside of code and quotes, and of what
 * pages do not show.
 */
export function mentions(text: string, name: string): boolean {
  const lower = readProse(text).toLowerCase()
  const word = `@${name.toLowerCase()}`
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const end = at + word.length
    if (!/[\w@/.-]/.test(lower[at - 1] ?? '') && !/^(?:[\w/-]|\.\w)/.test(lower.slice(end, end + 2))) return true
  }
  return false
}
