const conventional = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([^()]{1,60}\))?!?: \S/

/** Whether it begins as a Conventional Commit does. */
export const isConventional = (title: string): boolean => conventional.test(title)

/** By the words that requests begin with; `chore` says the least. */
const kinds: [type: string, of: RegExp][] = [
  ['fix', /\b(?:bug|crash|error|fail|fix|leak|repair|wrong)/i],
  ['docs', /\b(?:doc|readme|changelog|typo)/i],
  ['test', /\btest/i],
  ['refactor', /\b(?:clean|extract|move|refactor|rename|simplif|split)/i],
  ['feat', /\b(?:add|allow|create|enable|implement|introduce|make|offer|show|support)\b/i],
]

/** The title as such a commit has it. */
export function conventionalTitle(title: string): string {
  if (isConventional(title)) return title
  const [type] = kinds.find(([, of]) => of.test(title)) ?? ['chore']
  // An abbreviation stays as it is.
  const subject = /^[A-Z][a-z ]/.test(title) ? `${title[0]?.toLowerCase()}${title.slice(1)}` : title
  return `${type}: ${subject}`
}
