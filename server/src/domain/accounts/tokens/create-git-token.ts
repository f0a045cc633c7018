import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'
import { newTokenText, tokenEnds } from './token-text.ts'

export type CreateGitToken = {
  organizationId: number
  /** The token dies as soon as the run is held under another lease, or under none. Null: it is nobody's, and only reads. */
  run: { runId: number; leaseId: string } | null
  /** Null: what a run without a repository works in. */
  repoId: number | null
  /** The only branches that it may push; it reads all. */
  pushBranches: string[]
}

/** Makes a token with which one run, or a worker for no run, may use git on one repository. Answers the secret. */
export async function createGitToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, run, repoId, pushBranches }: CreateGitToken,
): Promise<string> {
  const secret = newTokenText()
  await db.query(
    `insert into credentials (organization_id, kind, digest, prefix, last4, run_id, lease_id, repo_id, push_branches, expires_at)
     values ($1, 'git', $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))`,
    [
      organizationId,
      digestOf(keys, secret),
      ...tokenEnds(secret),
      run?.runId,
      run?.leaseId,
      repoId,
      pushBranches,
      run ? limits.gitTokenSeconds : limits.gitReadingTokenSeconds,
    ],
  )
  return secret
}
