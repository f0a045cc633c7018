import type pg from 'pg'
import { deletionLimits } from '#base/deletion-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { deleteRepoRows } from './delete-repo-rows.ts'
import type { EmptyDeletions } from './empty-deletions.ts'
import { hideEndedRuns } from './hide-ended-runs.ts'
import { isAlone } from './is-alone.ts'

type Due = { organizationId: number; repoId: number; path: string; takesRuns: boolean }

/**
 * Removes the bytes of repositories that were removed, in short transactions, for a while, and an hour later once more: whoever was at work in
 * one at that moment may have written since. May be cut off anywhere. Only for a process that has the repositories.
 */
export async function emptyRepos(pool: pg.Pool, options: EmptyDeletions): Promise<void> {
  const until = performance.now() + (options.workMs ?? deletionLimits.workMs)
  const errors: unknown[] = []
  do {
    const due = await findDue(pool)
    if (!due) break
    try {
      await options.repositories.removeRepository(due)
    } catch (error) {
      errors.push(error)
      await postpone(pool, due)
      continue
    }
    const isGone = await emptySome(pool, due)
    if (isGone === undefined) break
    if (isGone) options.onDeleted('repo', 1)
  } while (performance.now() < until)
  if (errors.length) throw new AggregateError(errors, `${errors.length} repositories could not be removed`)
}

export const removedReposAreDue = 'exists (select from repos where empty_at <= now())'

function findDue(db: Db): Promise<Due | undefined> {
  return maybeOne<Due>(
    db,
    `select organization_id, id as "repoId", path, takes_runs from repos where empty_at <= now() order by empty_at limit 1`,
  )
}

/** The others are not held up. */
async function postpone(db: Db, { organizationId, repoId }: Due): Promise<void> {
  await db.query(
    `update repos set empty_at = now() + $3 * interval '1 millisecond' where organization_id = $1 and id = $2`,
    [organizationId, repoId, deletionLimits.retryMs],
  )
}

/** Whether nothing is left; undefined where another process deletes. */
async function emptySome(pool: pg.Pool, due: Due): Promise<boolean | undefined> {
  return inTransaction(pool, async (tx) => {
    if (!(await isAlone(tx))) return undefined
    const { organizationId, repoId, takesRuns } = due
    const deleted = await deleteRepoRows(tx, due)
    const hidden = takesRuns ? await hideEndedRuns(tx, due) : 0
    if (deleted + hidden > 0) return false
    await tx.query('select forget_repo_storage($1, $2)', [organizationId, repoId])
    await tx.query(
      `update repos set ${cleared},
         empty_at = case when now() < removed_at + $3 * interval '1 millisecond' then removed_at + $3 * interval '1 millisecond' end
       where organization_id = $1 and id = $2`,
      [organizationId, repoId, deletionLimits.lookAgainMs],
    )
    return true
  })
}

/** All that people have written of it. */
const cleared = `name = '~' || id, description = null, default_branch = '', language = null, setup_commands = null, imported_from = null, url = null,
  labels = '{}', egress_allow = '{}', egress_presets = '{}', default_models = '{}', environment_secrets = '{}', check_commands = '[]',
  integration_id = null, host_repo_id = null, watched_branches = '{}', default_engine = null, pull_settings = '{}', branch_rules = '[]', paths = '{}'`
