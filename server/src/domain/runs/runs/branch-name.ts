import { defaultBranchPattern, expandBranchPattern } from '#domain/repos/branch-pattern.ts'

const wordsMax = 6
const charactersMax = 48

/** The branch that a run works on: by its repository's pattern, a valid ref whatever the title is. */
export function branchName(runId: number, title: string, pattern: string = defaultBranchPattern): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
  return expandBranchPattern(pattern, { run: runId, title: slugOf(words.slice(0, wordsMax)) })
}

/** Whole words, as many as there is room for. */
function slugOf([first = '', ...others]: string[]): string {
  let slug = first.slice(0, charactersMax)
  for (const word of others) {
    if (slug.length + 1 + word.length > charactersMax) break
    slug += `-${word}`
  }
  return slug
}
