/** What tells whether a commit of the built-in host is good, in the words of any host. */
export const checkStatuses = ['queued', 'in_progress', 'completed'] as const
export type CheckStatus = (typeof checkStatuses)[number]

export const checkConclusions = [
  'success',
  'failure',
  'cancelled',
  'timed_out',
  'neutral',
  'skipped',
  'action_required',
  'stale',
  'startup_failure',
] as const
export type CheckConclusion = (typeof checkConclusions)[number]

export type Check = {
  /** The row's number, in digits: hosts know checks by words. */
  key: string
  name: string
  /** Who runs it: `local` of our workers, `ci` of an outside CI, `runwright` of our runs. */
  app: string
  status: CheckStatus
  conclusion: CheckConclusion | null
  url: string | null
  summary: string | null
  hasLog: boolean
  startedAt: Date | null
  completedAt: Date | null
}

/** What a statement selects to get a `Check`. */
export const checkColumns = `id::text as key, name, app, status, conclusion, url, summary, log_sha256 is not null as "hasLog",
  started_at as "startedAt", completed_at as "completedAt"`

/** Where checks are: at a commit of a repository. */
export type CheckPlace = { organizationId: number; repoId: number; commit: string }

/** Of a check `c` that workers run: somebody waits for it. */
export const isWanted = `(c.branch is not null or exists (select from pulls p where p.organization_id = c.organization_id
  and p.repo_id = c.repo_id and p.state = 'open' and p.head_commit = c.commit))`
