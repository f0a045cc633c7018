import type { Db } from '#db/pool.ts'

export type RecordPullHeads = {
  organizationId: number
  repoId: number
  /** Branches that were pushed; `commit` is null where the branch was deleted. */
  updates: { branch: string; commit: string | null }[]
}

/** Open pull requests follow their branch. That of a deleted branch stays where it was. */
export async function recordPullHeads(db: Db, { organizationId, repoId, updates }: RecordPullHeads): Promise<void> {
  const moved = updates.filter(({ commit }) => commit !== null)
  if (!moved.length) return
  await db.query(
    `update pulls set head_commit = moved.commit
     from unnest($3::text[], $4::text[]) as moved (branch, commit)
     where organization_id = $1 and repo_id = $2 and state = 'open' and head_branch = moved.branch`,
    [organizationId, repoId, moved.map(({ branch }) => branch), moved.map(({ commit }) => commit)],
  )
}
