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
  /** Its writer is not done: it is not merged yet. */
  draft: boolean
  merged: boolean
  /** What a merge makes of the base, or is about to; where the base was before, and what it takes in. */
  mergeCommit: string | null
  mergeBase: string | null
  mergeHead: string | null
  mergedBy: number | null
  mergedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** What a statement selects to get a `Pull`. */
export const pullColumns = `organization_id as "organizationId", id, repo_id as "repoId", number, run_id as "runId",
  title, body, head_branch as "headBranch", base_branch as "baseBranch", head_commit as "headCommit", state, draft, merged,
  merge_commit as "mergeCommit", merge_base as "mergeBase", merge_head as "mergeHead", merged_by as "mergedBy",
  merged_at as "mergedAt", created_at as "createdAt", updated_at as "updatedAt"`

/** What to compare, to see what it changes; once it is merged, what it has changed. */
export function comparisonOf(pull: Pull): { base: string; head: string } {
  return { base: (pull.merged && pull.mergeBase) || pull.baseBranch, head: pull.headCommit }
}

/** Where people look at it. */
export function pullUrl(publicUrl: string, pull: { organizationId: number; repoId: number; number: number }): string {
  return `${publicUrl.replace(/\/+$/, '')}/organizations/${pull.organizationId}/repos/${pull.repoId}/pulls/${pull.number}`
}
