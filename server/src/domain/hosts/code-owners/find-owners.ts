import { setImmediate } from 'node:timers/promises'
import { coversPath } from '#base/text/match-path.ts'
import { codeOwnersLimits } from './limits.ts'
import type { OwnerRule } from './read-code-owners.ts'

/** Owners in the order of the paths that they own, each with the pattern by which; `problems` are sentences for people. */
export type FoundOwners = { owners: Map<string, string>; problems: string[] }

/** Who owns any of these paths. The last rule that covers a path counts. */
export async function findOwners(rules: readonly OwnerRule[], paths: readonly string[]): Promise<FoundOwners> {
  const { pathsMax, ownersMax, workMax } = codeOwnersLimits
  const work = { left: workMax }
  const used = new Set<OwnerRule>()
  const fromLast = rules.toReversed()
  for (const path of paths.slice(0, pathsMax)) {
    const rule = await findRule(fromLast, { names: path.split('/'), work })
    if (rule) used.add(rule)
    if (work.left < 0) break
  }
  const problems: string[] = []
  if (work.left < 0)
    problems.push('Its patterns take too long with so many changed files, so not all files were looked at.')
  else if (paths.length > pathsMax)
    problems.push(`Only the first ${pathsMax} of ${paths.length} changed files were looked at.`)
  const owners = new Map<string, string>()
  for (const { pattern, owners: named } of used)
    for (const owner of named) if (owners.size < ownersMax && !owners.has(owner)) owners.set(owner, pattern)
  return { owners, problems }
}

/** The first that covers the path; undefined too once there is no work left. Others have their turn between. */
async function findRule(
  rules: readonly OwnerRule[],
  { names, work }: { names: string[]; work: { left: number } },
): Promise<OwnerRule | undefined> {
  for (const rule of rules) {
    const turn = Math.floor(work.left / codeOwnersLimits.turnWork)
    const isCovered = coversPath(rule.paths, names, work)
    if (work.left < 0) return undefined
    if (isCovered) return rule
    if (Math.floor(work.left / codeOwnersLimits.turnWork) < turn) await setImmediate()
  }
  return undefined
}
