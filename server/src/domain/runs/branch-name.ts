const wordsMax = 6
const charactersMax = 48

/** The branch that a run works on: `agent/<id>-<slug>`, a valid ref whatever the title is. */
export function branchName(runId: number, title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, wordsMax)
    .join('-')
    .slice(0, charactersMax)
    .replace(/-+$/, '')
  return slug ? `agent/${runId}-${slug}` : `agent/${runId}`
}
