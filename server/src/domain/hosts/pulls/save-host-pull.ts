import type { HostPull } from '#base/hosts/host-facts.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { pullColumns, type Pull } from './pull.ts'

export type SaveHostPull = {
  organizationId: number
  repoId: number
  pull: HostPull
  /** The run that has opened it; one that is known already stays. */
  runId?: number | null
}

/**
 * Brings our row of a pull request of another host up to date, or makes it. Of two looks at once the later counts, whichever
 * is stored first.
 */
export async function saveHostPull(
  db: Db,
  { organizationId, repoId, pull, runId = null }: SaveHostPull,
): Promise<Pull> {
  return inTransaction(db, async (tx) => {
    await tx.query(save, [
      organizationId,
      repoId,
      pull.number,
      runId,
      pull.title,
      pull.body,
      pull.head.branch,
      pull.base.branch,
      pull.head.commit,
      pull.state,
      pull.draft,
      pull.merged,
      pull.merged ? pull.mergeCommit : null,
      pull.url,
      pull.author && JSON.stringify(pull.author),
      pull.head.isFromFork,
      pull.createdAt,
      pull.updatedAt,
    ])
    return one<Pull>(
      tx,
      `select ${pullColumns} from pulls where organization_id = $1 and repo_id = $2 and number = $3`,
      [organizationId, repoId, pull.number],
    )
  })
}

const save = `
  insert into pulls as known (organization_id, repo_id, number, run_id, title, body, head_branch, base_branch, head_commit,
    state, draft, merged, merge_commit, merged_at, url, author, is_from_fork, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, case when $12::boolean then $18::timestamptz end,
    $14, $15, $16, $17, $18)
  on conflict (organization_id, repo_id, number) do update set
    run_id = coalesce(known.run_id, excluded.run_id), title = excluded.title, body = excluded.body,
    head_branch = excluded.head_branch, base_branch = excluded.base_branch, head_commit = excluded.head_commit,
    state = excluded.state, draft = excluded.draft, merged = excluded.merged, merge_commit = excluded.merge_commit,
    merged_at = coalesce(known.merged_at, excluded.merged_at), url = excluded.url, author = excluded.author,
    is_from_fork = excluded.is_from_fork, updated_at = excluded.updated_at
  where excluded.updated_at >= known.updated_at`
