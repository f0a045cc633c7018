import type { App } from '#app/app.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import { branchName } from '#domain/runs/runs/branch-name.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { isBranchOfOtherRun } from '#domain/runs/runs/is-branch-of-other-run.ts'
import type { Holder } from '#domain/runs/holder.ts'

export type ChooseBranch = {
  holder: Holder
  facts: Pick<TurnFacts, 'repo' | 'title' | 'prompt'>
  /** That the repository has. */
  branches: ReadonlyMap<string, string>
}

/** A name for a new run's branch, which nobody has: a run may push to its branch, whoever else works there. */
export async function chooseBranch(
  app: Pick<App, 'mask' | 'pool'>,
  { holder, facts, branches }: ChooseBranch,
): Promise<string> {
  const { organizationId, runId } = holder
  const { repo } = facts
  const pattern = repo ? pullSettingsOf(repo).branchPattern : undefined
  const named = branchName(runId, app.mask(facts.title ?? facts.prompt), pattern)
  const preferred = fits(named, branches) ? named : named.replaceAll('/', '-')
  for (let n = 1; ; n++) {
    const branch = n === 1 ? preferred : `${preferred}-${n}`
    if (branches.has(branch)) continue
    if (repo && (await isBranchOfOtherRun(app.pool, { organizationId, repoId: repo.id, runId, branch }))) continue
    return branch
  }
}

/** Git has no branch in a folder that has the name of another branch. */
function fits(branch: string, branches: ReadonlyMap<string, string>): boolean {
  return ![...branches.keys()].some((other) => other.startsWith(`${branch}/`) || branch.startsWith(`${other}/`))
}
