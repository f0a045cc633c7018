import { readOwnedPaths, type PathPattern } from '#base/text/match-path.ts'
import { codeOwnersLimits } from './limits.ts'

/** Where the file may be; the first that is there counts. */
export const codeOwnersPaths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const

/** A line of CODEOWNERS. Without owners it takes those of the lines before away from what it covers. */
export type OwnerRule = { pattern: string; paths: PathPattern; owners: string[] }

/** In the order of the lines; `problems` are sentences for people. */
export type CodeOwners = { rules: OwnerRule[]; problems: string[] }

/** Reads the bytes of a CODEOWNERS file. A line that is no rule is skipped, as GitHub does it. */
export function readCodeOwners(bytes: Buffer): CodeOwners {
  const { rulesMax, problemsMax } = codeOwnersLimits
  const rules: OwnerRule[] = []
  const problems: string[] = []
  for (const [n, line] of bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    const rule = readLine(line)
    if (typeof rule === 'string') problems.push(`Line ${n + 1} is skipped: ${rule}.`)
    else if (rule) rules.push(rule)
    if (rules.length > rulesMax) return { rules: [], problems: [`It has more than ${rulesMax} rules, so none counts.`] }
  }
  return { rules, problems: problems.slice(0, problemsMax) }
}

/** Undefined for a line that says nothing; a text for what is wrong with it. */
function readLine(line: string): OwnerRule | string | undefined {
  const words = line.match(/(?:[^\s\\]|\\.|\\$)+/g) ?? []
  const end = words.findIndex((word) => word.startsWith('#'))
  const [escaped, ...owners] = end < 0 ? words : words.slice(0, end)
  if (escaped === undefined) return undefined
  // Nothing of the kind can be stored, and nobody is called like that.
  if (/(?!\s)\p{Cc}/u.test(line)) return 'it has control characters'
  if (escaped.startsWith('!')) return 'patterns that begin with “!” have no meaning here'
  if (/\\[^ #]|\\$/.test(escaped)) return 'a backslash can stand before a space or “#” only'
  const { patternCharactersMax } = codeOwnersLimits
  if (escaped.length > patternCharactersMax) return `its pattern has more than ${patternCharactersMax} characters`
  if (!owners.every(isOwner)) return 'owners are written as @name, @organization/team or an email address'
  const pattern = escaped.replaceAll('\\', '')
  return { pattern, paths: readOwnedPaths(pattern), owners }
}

const isOwner = (word: string): boolean =>
  word.length <= codeOwnersLimits.ownerCharactersMax &&
  (/^@[\p{L}\p{N}._-]+(?:\/[\p{L}\p{N}._-]+)?$/u.test(word) || /^[^@\s]+@[^@\s]+$/.test(word))
