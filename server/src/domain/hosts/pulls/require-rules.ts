import { passedConclusions } from '#base/hosts/host-facts.ts'
import { one, type Db } from '#db/pool.ts'
import { listChecks } from '#domain/hosts/checks/list-checks.ts'
import { ruleOf, type BranchRule } from '#domain/repos/branch-rule.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { Pull } from './pull.ts'
import { refusePull } from './refuse-pull.ts'

export type RequireRules = {
  pull: Pull
  repo: Pick<Repo, 'branchRules'>
  /** The commit that is about to be merged. */
  head: string
}

/** What the base branch of a pull request of the built-in host demands of its head. Throws `conflict` with what is missing. */
export async function requireRules(db: Db, { pull, repo, head }: RequireRules): Promise<void> {
  const rule = ruleOf(repo.branchRules, pull.baseBranch)
  if (!rule) return
  const missing = [
    ...(await missingChecks(db, { pull, head, rule })),
    ...(await missingReviews(db, { pull, head, rule })),
  ]
  if (missing.length) throw refusePull(pull.id, `cannot be merged into ${pull.baseBranch} yet: ${missing.join('; ')}`)
}

type OfRule = { pull: Pull; head: string; rule: BranchRule }

async function missingChecks(db: Db, { pull, head: commit, rule }: OfRule): Promise<string[]> {
  if (!rule.requiredChecks.length) return []
  const { checks } = await listChecks(db, { ...pull, commit })
  // Of several checks of one name all count.
  const isPassed = (name: string) => {
    const named = checks.filter((check) => check.name === name)
    return named.length > 0 && named.every(({ conclusion }) => passedConclusions.has(conclusion))
  }
  const missing = rule.requiredChecks.filter((name) => !isPassed(name))
  return missing.length ? [`these checks have not passed at ${commit.slice(0, 7)}: ${missing.join(', ')}`] : []
}

/** The last word of each person counts, and what was approved is what is merged. Agents do not approve for people. */
async function missingReviews(db: Db, { pull, head, rule }: OfRule): Promise<string[]> {
  if (!rule.requiredApprovals) return []
  const { approvals, objections } = await one<{ approvals: number; objections: number }>(
    db,
    `select count(*) filter (where verdict = 'approve' and head_commit = $3)::int as approvals,
       count(*) filter (where verdict = 'request_changes')::int as objections
     from (select distinct on (user_id) verdict, head_commit from pull_reviews
       where organization_id = $1 and pull_id = $2 and user_id is not null and run_id is null and verdict <> 'comment'
       order by user_id, id desc) as last`,
    [pull.organizationId, pull.id, head],
  )
  const { requiredApprovals: needed } = rule
  return [
    ...(approvals < needed ? [`${approvals} of ${needed} people have approved ${head.slice(0, 7)}`] : []),
    ...(objections ? ['changes are requested'] : []),
  ]
}
