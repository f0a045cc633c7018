import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordBranchMoves } from '#domain/hosts/events/record-branch-moves.ts'
import type { BranchDeleter } from '#domain/hosts/pulls/pull-hosts.ts'
import { ruleOf } from '#domain/repos/branch-rule.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { StoredRepository } from '#domain/repos/repos/repository-admin.ts'
import type { Comparison, Contestant } from './comparison.ts'

export type DeleteContestantBranch = {
  comparison: Comparison
  contestant: Contestant
  repo: Repo
  hosts: { git(repo: StoredRepository): BranchDeleter }
}

/**
 * Deletes the branch of a contestant that was not kept. One that has moved since, that a rule protects, or that an open pull
 * request needs, stays.
 */
export async function deleteContestantBranch(db: Db, options: DeleteContestantBranch): Promise<void> {
  const { contestant, repo } = options
  const { branch, head } = contestant
  if (branch === null || head === null || branch === repo.defaultBranch || ruleOf(repo.branchRules, branch)) return
  // Another host is not waited for in a transaction.
  if (repo.host !== 'local') {
    await remove(db, options, { branch, head })
    return
  }
  await inTransaction(db, async (tx) => {
    await tx.query('select from repos where organization_id = $1 and id = $2 for no key update', [
      repo.organizationId,
      repo.id,
    ])
    if (!(await remove(tx, options, { branch, head }))) return
    const moves = [{ branch, before: head, commit: null }]
    await recordBranchMoves(tx, {
      organizationId: repo.organizationId,
      repoId: repo.id,
      moves,
      runId: null,
      userId: null,
    })
  })
}

async function remove(
  db: Db,
  { comparison, contestant, repo, hosts }: DeleteContestantBranch,
  { branch, head }: { branch: string; head: string },
): Promise<boolean> {
  const { organizationId } = repo
  const needed = await maybeOne(
    db,
    `select from pulls where organization_id = $1 and repo_id = $2 and state = 'open'
       and (base_branch = $3 or (head_branch = $3 and not is_from_fork)) limit 1`,
    [organizationId, repo.id, branch],
  )
  if (needed || !(await hosts.git(repo).deleteBranch(repo, { branch, expected: head }))) return false
  await db.query(
    'update contestants set branch_deleted_at = now() where organization_id = $1 and comparison_id = $2 and n = $3',
    [organizationId, comparison.id, contestant.n],
  )
  return true
}
