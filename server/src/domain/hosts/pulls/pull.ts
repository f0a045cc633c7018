import type { HostActor } from '#base/hosts/host-event.ts'
import { fixerState, type FixerPhase } from '#domain/hosts/fixer.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'
import { reviewersOfPull, type PullCodeOwners, type Reviewer } from './reviewer.ts'

/** A pull request on any host, as it was there when we last looked. */
export type Pull = {
  organizationId: number
  id: number
  repoId: number
  /** Unique within the repository. */
  number: number
  /** The run that opened it. */
  runId: number | null
  title: string
  body: string
  headBranch: string
  baseBranch: string
  headCommit: string
  state: 'open' | 'closed'
  /** A draft cannot be merged yet. */
  draft: boolean
  merged: boolean
  /** The merge's commit, also while the merge is under way; the base's commit before it, and the head's. */
  mergeCommit: string | null
  mergeBase: string | null
  mergeHead: string | null
  mergedBy: number | null
  mergedAt: Date | null
  /** Where people look at it on another host; null on the built-in one. */
  url: string | null
  /** Who opened it there; null where nobody knows, and for one that a run opened on the built-in host. */
  author: HostActor | null
  /** Its branch is one of another repository. */
  isFromFork: boolean
  /** On the built-in host. */
  labels: string[]
  reviewers: Reviewer[]
  /** Null where its base has no CODEOWNERS, or was not looked at yet. */
  codeOwners: PullCodeOwners | null
  /** The pull request of ours that it undoes; and the one that undoes it: the latest that is open or merged. */
  reverts: number | null
  revert: { id: number; number: number; state: 'open' | 'closed'; merged: boolean } | null
  /** When its branch was deleted after the merge, and by whom. */
  branchDeletedAt: Date | null
  branchDeletedBy: number | null
  /** The run that fixes its checks; null if there is none. */
  agent: { phase: FixerPhase | 'banned' | 'removed'; attempts: number; reason: string | null } | null
  createdAt: Date
  updatedAt: Date
}

/** Columns of a `Pull`. */
export const pullColumns = `organization_id, id, repo_id, number, run_id,
  title, body, head_branch, base_branch, head_commit, state, draft, merged,
  merge_commit, merge_base, merge_head, merged_by,
  merged_at, url, author, is_from_fork, labels, code_owners, created_at, updated_at,
  ${reviewersOfPull} as reviewers,
  reverts, branch_deleted_at, branch_deleted_by,
  (select json_build_object('id', r.id, 'number', r.number, 'state', r.state, 'merged', r.merged)
    from pulls r where r.organization_id = pulls.organization_id and r.reverts = pulls.id and (r.state = 'open' or r.merged)
    order by r.id desc limit 1) as revert,
  (select json_build_object('phase', coalesce(${fixerState('a')}->>'suspended', ${fixerState('a')}->>'phase'), 'attempts', (a.state->>'fixes')::int,
      'reason', a.state->>'reason')
    from pull_agents a where a.organization_id = pulls.organization_id and a.pull_id = pulls.id) as agent`

/** What to compare, to see what it changes; once it is merged, what it has changed. */
export function comparisonOf(pull: Pull): { base: string; head: string } {
  return { base: (pull.merged && pull.mergeBase) || pull.baseBranch, head: pull.headCommit }
}

/** Where people look at it. */
export function pullUrl(
  publicUrl: string,
  pull: Pick<Pull, 'organizationId' | 'repoId' | 'number'> & { url?: string | null },
): string {
  if (pull.url) return pull.url
  return `${trimTrailing(publicUrl, '/')}/organizations/${pull.organizationId}/repos/${pull.repoId}/pulls/${pull.number}`
}
