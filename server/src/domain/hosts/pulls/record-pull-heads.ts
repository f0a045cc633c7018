import { rows, type Db } from '#db/pool.ts'
import type { Pull } from './pull.ts'
import { recordPullEvent } from './record-pull-event.ts'

export type RecordPullHeads = {
  organizationId: number
  repoId: number
  /** Branches that were pushed; `commit` is null where the branch was deleted. */
  updates: { branch: string; commit: string | null }[]
}

/** Open pull requests follow their branch, in the caller's transaction. That of a deleted branch stays where it was. */
export async function recordPullHeads(tx: Db, { organizationId, repoId, updates }: RecordPullHeads): Promise<void> {
  const moved = updates.filter(({ commit }) => commit !== null)
  if (!moved.length) return
  const pulls = await rows<Pick<Pull, 'organizationId' | 'repoId' | 'number' | 'updatedAt'>>(
    tx,
    `update pulls set head_commit = moved.commit
     from unnest($3::text[], $4::text[]) as moved (branch, commit)
     where organization_id = $1 and repo_id = $2 and state = 'open' and not is_from_fork and head_branch = moved.branch
       and head_commit <> moved.commit
     returning organization_id, repo_id, number, updated_at`,
    [organizationId, repoId, moved.map(({ branch }) => branch), moved.map(({ commit }) => commit)],
  )
  for (const pull of pulls) await recordPullEvent(tx, pull, 'head_changed')
}
