import type { Db } from '#db/pool.ts'

export type SaveHook = {
  organizationId: number
  repoId: number
  /** Of what it was given. */
  digest: string | null
  /** Why it could not be made or kept, in words for people. */
  problem: string | null
}

/** Keeps how the webhook of a repository stands. */
export async function saveHook(db: Db, { organizationId, repoId, digest, problem }: SaveHook): Promise<void> {
  await db.query(
    `insert into repo_hooks (organization_id, repo_id, digest, problem) values ($1, $2, $3, $4)
     on conflict (organization_id, repo_id) do update
     set digest = excluded.digest, problem = excluded.problem, checked_at = now()`,
    [organizationId, repoId, digest, problem],
  )
}
