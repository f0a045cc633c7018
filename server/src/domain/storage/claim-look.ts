import { maybeOne, rows, type Db } from '#db/pool.ts'

export type DueRepo = { organizationId: number; repoId: number; path: string; keep: string[] }

/**
 * A repository of the built-in host that is to be looked at by now, for whoever asks first; with the commits that rows name, which
 * stay though no branch holds them: what runs began with and have pushed, checkpoints build on, and pull requests compare.
 */
export async function claimLook(db: Db): Promise<DueRepo | undefined> {
  const due = await maybeOne<Omit<DueRepo, 'keep'>>(
    db,
    `update storage s set look_at = null from repos r
     where (s.organization_id, s.scope, s.id) in (
         select organization_id, scope, id from storage where scope = 'repo' and look_at <= now() order by look_at limit 1 for update skip locked)
       and r.organization_id = s.organization_id and r.id = s.id and r.host = 'local' and r.removed_at is null
     returning s.organization_id as "organizationId", s.id as "repoId", r.path`,
  )
  if (!due) return undefined
  const named = await rows<{ commit: string }>(
    db,
    `select unnest(array[base_commit, branch_commit]) as commit from runs where organization_id = $1 and repo_id = $2
     union select unnest(array[head_commit, merge_commit, merge_base, merge_head]) from pulls where organization_id = $1 and repo_id = $2
     union select unnest(c.base_commits) from checkpoints c join runs r on r.organization_id = c.organization_id and r.id = c.run_id
       where r.organization_id = $1 and r.repo_id = $2`,
    [due.organizationId, due.repoId],
  )
  return { ...due, keep: named.flatMap(({ commit }) => (commit ? [commit] : [])) }
}
