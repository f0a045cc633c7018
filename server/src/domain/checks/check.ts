import type { HostCheck } from '#base/host-facts.ts'

/** What tells whether a commit of the built-in host is good; its key is the row's number, in digits: hosts know checks by words. */
export type Check = HostCheck

/** What a statement selects to get a `Check`. */
export const checkColumns = `id::text as key, name, app, status, conclusion, url, summary, log_sha256 is not null or log_pieces > 0 as "hasLog",
  started_at as "startedAt", completed_at as "completedAt"`

/** Where checks are: at a commit of a repository. */
export type CheckPlace = { organizationId: number; repoId: number; commit: string }

/** Of a check `c` that workers run: somebody waits for it. */
export const isWanted = `(c.branch is not null or exists (select from pulls p where p.organization_id = c.organization_id
  and p.repo_id = c.repo_id and p.state = 'open' and p.head_commit = c.commit))`
