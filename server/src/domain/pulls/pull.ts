/** A pull request of the built-in host. */
export type Pull = {
  organizationId: number
  id: number
  repoId: number
  /** Counted for each repository. */
  number: number
  /** The run that opened it. */
  runId: number | null
  title: string
  body: string
  headBranch: string
  baseBranch: string
  headCommit: string
  state: 'open' | 'closed'
  merged: boolean
  createdAt: Date
}

/** What a statement selects to get a `Pull`. */
export const pullColumns = `organization_id as "organizationId", id, repo_id as "repoId", number, run_id as "runId",
  title, body, head_branch as "headBranch", base_branch as "baseBranch", head_commit as "headCommit", state, merged,
  created_at as "createdAt"`

/** Where people look at it. */
export function pullUrl(publicUrl: string, pull: { organizationId: number; repoId: number; number: number }): string {
  return `${publicUrl.replace(/\/+$/, '')}/organizations/${pull.organizationId}/repos/${pull.repoId}/pulls/${pull.number}`
}
