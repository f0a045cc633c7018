import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { findClosedIssues } from '#base/text/find-closed-issues.ts'
import { closeIssues } from '#domain/hosts/issues/close-issues.ts'
import { recordPush } from './record-push.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getPull } from './get-pull.ts'
import type { MergeAdmin, PushHosts } from './pull-hosts.ts'
import { pullColumns, type Pull } from './pull.ts'
import { recordPullEvent } from './record-pull-event.ts'

export type LandingHosts = PushHosts & { admin: Pick<MergeAdmin, 'landCommit'> }
export type LandMerge = {
  pull: Pull & { mergeCommit: string; mergeBase: string }
  repo: Repo
  hosts: LandingHosts
  /** Where the base branch is to be moved from; the merge's own commit: it is only looked whether it holds that. */
  expected: string
}

/** Moves the base of a merge that is intended, and stores that it is merged; on the default branch that closes the issues which the pull request says that it fixes. Undefined where the base has gone elsewhere. */
export async function landMerge(db: Db, { pull, repo, hosts, expected }: LandMerge): Promise<Pull | undefined> {
  const { organizationId, id, baseBranch: branch, mergeCommit: commit, mergeBase: before } = pull
  if (!(await hosts.admin.landCommit(repo, { branch, expected, commit }))) return undefined
  const updates = [{ branch, before, commit }]
  await recordPush(db, { organizationId, repoId: repo.id, hosts, updates, runId: null, userId: pull.mergedBy })
  const merged = await inTransaction(db, async (tx) => {
    const landed = await maybeOne<Pull>(
      tx,
      `update pulls set merged = true, state = 'closed', head_commit = merge_head, merged_at = coalesce(merged_at, now()), updated_at = now()
       where organization_id = $1 and id = $2 and merge_commit = $3 and not merged returning ${pullColumns}`,
      [organizationId, id, commit],
    )
    if (!landed) return undefined
    await recordPullEvent(tx, landed, 'closed')
    const numbers = branch === repo.defaultBranch ? findClosedIssues(landed.body) : []
    await closeIssues(tx, { organizationId, repoId: repo.id, numbers, userId: pull.mergedBy })
    return landed
  })
  return merged ?? getPull(db, { organizationId, pullId: id })
}
