/** Of the branch that a run works on. */
export const defaultBranchPattern = 'agent/{run}-{title}'

/** Fills in the run's id and words of its title; without words their place and a mark beside it are left out. */
export function expandBranchPattern(pattern: string, { run, title }: { run: number; title: string }): string {
  const titled = title ? pattern.replace('{title}', title) : pattern.replace(/[-_./]\{title\}|\{title\}[-_./]?/, '')
  return titled.replace('{run}', String(run))
}

/**
 * Why a pattern cannot be taken; null where it can. The id stands apart from other letters and digits: no two runs have the same branch by
 * one pattern, whatever they are called.
 */
export function whyNotBranchPattern(pattern: string): string | null {
  if (pattern.split('{run}').length !== 2) return 'must contain {run} once'
  if (pattern.split('{title}').length > 2) return 'may contain {title} only once'
  if (!/(?:^|[-_./])\{run\}(?:$|[-_./])/.test(pattern)) return 'must have -, _, . or / beside {run}'
  const names = ['title', 'lock', ''].map((title) => expandBranchPattern(pattern, { run: 7, title }))
  if (!names.every((name) => /^[A-Za-z0-9._/-]+$/.test(name)))
    return 'may contain letters, digits and -, _, . and / besides {run} and {title}'
  return names.every(isRefName) ? null : 'must make a valid name of a branch, such as feature/{run}-{title}'
}

/** Of the names that the characters above can make. */
function isRefName(name: string): boolean {
  if (name.startsWith('-') || name.endsWith('.') || name.includes('..') || name.startsWith('refs/')) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}
