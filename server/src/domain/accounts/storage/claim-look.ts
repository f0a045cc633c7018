import { maybeOne, rows, type Db } from '#db/pool.ts'

export type DueRepo = {
  organizationId: number
  repoId: number
  host: string
  path: string
  /** What is counted of it. */
  bytes: number
  keep: string[]
}

export const looksAreDue = `exists (select from storage where scope = 'repo' and look_at <= now())`

/**
 * A repository of the built-in host, or a mirror of another's, that is to be looked at by now, for whoever asks first; with the commits that rows name, which
 * stay though no branch holds them: what runs began with and have pushed, checkpoints build on, and pull requests compare.
 */
export async function claimLook(db: Db, { mirrorsAlone }: { mirrorsAlone: boolean }): Promise<DueRepo | undefined> {
  const due = await maybeOne<Omit<DueRepo, 'keep'>>(
    db,
    `update storage s set look_at = null from (
         select d.organization_id, d.id, r.host, r.path from storage d join repos r on r.organization_id = d.organization_id and r.id = d.id
         where d.scope = 'repo' and d.look_at <= now() and r.removed_at is null and (r.host <> 'local' or not $1)
         order by d.look_at limit 1 for update of d skip locked) r
     where s.organization_id = r.organization_id and s.scope = 'repo' and s.id = r.id
     returning s.organization_id, s.id as "repoId", r.host, r.path, s.bytes`,
    [mirrorsAlone],
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
