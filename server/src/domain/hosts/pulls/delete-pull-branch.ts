import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { recordBranchMoves } from '#domain/hosts/events/record-branch-moves.ts'
import { ruleOf } from '#domain/repos/branch-rule.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getPull } from './get-pull.ts'
import type { BranchDeleter } from './pull-hosts.ts'
import type { StoredRepository } from '#domain/repos/repos/repository-admin.ts'
import { pullColumns, type Pull } from './pull.ts'
import { refusePull } from './refuse-pull.ts'

export type DeletePullBranch = {
  organizationId: number
  pullId: number
  hosts: { git(repo: StoredRepository): BranchDeleter }
  userId: number | null
}

/**
 * Deletes the branch of a merged pull request, where it still holds what was merged and nothing else needs it. Asked again, it
 * answers the same. Throws `pull_not_found`, `conflict`.
 */
export async function deletePullBranch(
  db: Db,
  { organizationId, pullId, hosts, userId }: DeletePullBranch,
): Promise<Pull> {
  const pull = await getPull(db, { organizationId, pullId })
  const repo = await getRepo(db, pull)
  if (pull.branchDeletedAt !== null) return pull
  if (!pull.merged) throw refusePull(pull.id, 'is not merged')
  if (pull.isFromFork) throw refusePull(pull.id, 'has its branch in another repository')
  const { headBranch: branch, headCommit: expected } = pull
  if (branch === repo.defaultBranch) throw refusePull(pull.id, `is of the default branch, ${branch}`)
  if (ruleOf(repo.branchRules, branch)) throw refusePull(pull.id, `keeps its branch: a rule protects ${branch}`)
  // Another host is not waited for in a transaction.
  if (repo.host !== 'local') return remove(db, { pull, repo, hosts, userId })
  return inTransaction(db, async (tx) => {
    await tx.query('select from repos where organization_id = $1 and id = $2 for no key update', [
      organizationId,
      repo.id,
    ])
    const deleted = await remove(tx, { pull, repo, hosts, userId })
    const moves = [{ branch, before: expected, commit: null }]
    await recordBranchMoves(tx, { organizationId, repoId: repo.id, moves, runId: null, userId })
    return deleted
  })
}

type Remove = Pick<DeletePullBranch, 'hosts' | 'userId'> & { pull: Pull; repo: Repo }

async function remove(db: Db, { pull, repo, hosts, userId }: Remove): Promise<Pull> {
  const { organizationId, id, headBranch: branch, headCommit: expected } = pull
  await refuseWhereNeeded(db, { pull, repo })
  if (!(await hosts.git(repo).deleteBranch(repo, { branch, expected })))
    throw refusePull(pull.id, `was merged at ${expected.slice(0, 7)}, and ${branch} has moved since`)
  return one<Pull>(
    db,
    `update pulls set branch_deleted_at = coalesce(branch_deleted_at, now()), branch_deleted_by = coalesce(branch_deleted_by, $3)
     where organization_id = $1 and id = $2 returning ${pullColumns}`,
    [organizationId, id, userId],
  )
}

/** On the built-in host under the lock of the repository, so that none is opened meanwhile. */
async function refuseWhereNeeded(db: Db, { pull, repo }: { pull: Pull; repo: Repo }): Promise<void> {
  const { organizationId, headBranch: branch } = pull
  const other = await maybeOne<{ number: number }>(
    db,
    `select number from pulls where organization_id = $1 and repo_id = $2 and state = 'open'
       and (base_branch = $3 or (head_branch = $3 and not is_from_fork)) order by number limit 1`,
    [organizationId, repo.id, branch],
  )
  if (other) throw refusePull(pull.id, `keeps its branch: number ${other.number} is open and needs ${branch}`)
}
