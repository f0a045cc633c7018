/** Who is asked to review a pull request of the built-in host. */
export type Reviewer = {
  userId: number
  /** `code_owner`: as an owner of what it changes; `asked`: by a person. */
  reason: 'code_owner' | 'asked'
  /** Of CODEOWNERS, by which they own it. */
  pattern: string | null
  /** The person who asked, also one who asked an owner again. */
  requestedBy: number | null
  /** RFC 3339. */
  requestedAt: string
  state: ReviewerState
}

export const reviewerStates = ['requested', 'approved', 'changes_requested', 'commented'] as const
export type ReviewerState = (typeof reviewerStates)[number]

/** What CODEOWNERS of its base said when its head was last looked at. */
export type PullCodeOwners = {
  path: string
  /** Whom it names for what is changed that is no person here, or more than one. */
  notFound: string[]
  /** In words for people. */
  problems: string[]
}

/** Of `pull_reviewers v`: how their request is answered. A comment takes no approval back. */
export const reviewerState = `coalesce(
  (select case r.verdict when 'approve' then 'approved' when 'request_changes' then 'changes_requested' else 'commented' end
    from pull_reviews r where r.organization_id = v.organization_id and r.pull_id = v.pull_id and r.user_id = v.user_id
      and r.run_id is null and r.id > v.asked_after
    order by r.verdict = 'comment', r.id desc limit 1), 'requested')`

/** Of `pulls`: its reviewers, as JSON. */
export const reviewersOfPull = `(select coalesce(json_agg(json_build_object('userId', v.user_id, 'reason', v.reason,
    'pattern', v.pattern, 'requestedBy', v.requested_by, 'requestedAt', v.requested_at, 'state', ${reviewerState})
    order by v.requested_at, v.user_id), '[]')
  from pull_reviewers v
  where v.organization_id = pulls.organization_id and v.pull_id = pulls.id and v.removed_at is null)`
