import type { HostCheck } from '#base/hosts/host-facts.ts'

/** A check of a commit on the built-in host. Its key is the row's number as text, since other hosts' keys are text. */
export type Check = HostCheck

/** The columns to select for a `Check`. */
export const checkColumns = `id::text as key, name, app, status, conclusion, url, summary, log_sha256 is not null or log_pieces > 0 as "hasLog",
  started_at, completed_at`

/** The commit of a repository that checks belong to. */
export type CheckPlace = { organizationId: number; repoId: number; commit: string }

/** Condition for a check `c` that workers run: its result is needed. */
export const isWanted = `(c.branch is not null or exists (select from pulls p where p.organization_id = c.organization_id
  and p.repo_id = c.repo_id and p.state = 'open' and p.head_commit = c.commit)
  or exists (select from run_heads h where h.organization_id = c.organization_id and h.run_id = c.run_id
    and h.status not in ('completed', 'failed', 'cancelled'))
  or exists (select from comparisons k where k.organization_id = c.organization_id and k.id = c.comparison_id
    and k.cancelled_at is null))`
