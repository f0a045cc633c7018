import { trimTrailing } from '#base/text/trim-trailing.ts'

const wordsMax = 6
const charactersMax = 48

/** The branch that a run works on: `agent/<id>-<slug>`, a valid ref whatever the title is. */
export function branchName(runId: number, title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
  const slug = trimTrailing(words.slice(0, wordsMax).join('-').slice(0, charactersMax), '-')
  return slug ? `agent/${runId}-${slug}` : `agent/${runId}`
}
