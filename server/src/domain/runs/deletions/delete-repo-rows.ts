import { deletionLimits } from '#base/deletion-limits.ts'
import type { Db } from '#db/pool.ts'
import { deleteInTurn } from './delete-in-turn.ts'

export type DeleteRepoRows = { organizationId: number; repoId: number }

/** Deletes the next rows of a repository that was removed, a bounded number. Answers how many; 0 once none is left. */
export async function deleteRepoRows(tx: Db, { organizationId, repoId }: DeleteRepoRows): Promise<number> {
  const values = [organizationId, repoId, deletionLimits.rowsMax]
  return deleteInTurn(
    tx,
    statements.map((text) => ({ text, values })),
  )
}

const isOurs = 'organization_id = $1 and repo_id = $2'
const counted = 'select count(*) as deleted from gone'
const firstOf = (table: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOurs} limit $3))`
const plain = (table: string) => `with gone as (${firstOf(table)} returning 1) ${counted}`

/** Of rows that belong to those that `owner` lists by their ids, which would take any number along. */
const below = (table: string, column: string, owner: string) => `with gone as (
    delete from ${table} where ctid = any(array(select t.ctid from (${owner}) o (id) join ${table} t
      on t.organization_id = $1 and t.${column} = o.id limit $3)) returning 1) ${counted}`

const checks = `select id from checks where ${isOurs}`
const sandboxes = `select s.id from checks c join sandboxes s on s.organization_id = $1 and s.check_id = c.id where c.organization_id = $1 and c.repo_id = $2`
const pulls = `select id from pulls where ${isOurs}`
const issues = `select id from issues where ${isOurs}`

/** Whoever was about to name the same bytes has put off their sweep by an hour at most, as for runs. */
const checksWithLogs = `with gone as (${firstOf('checks')} returning id, log_sha256),
  due as (update blobs b set look_at = now() from gone where b.organization_id = $1 and b.sha256 = gone.log_sha256
    and b.look_at > now() + interval '1 hour'),
  unwanted as (delete from jobs j using gone where j.organization_id = $1 and j.kind = 'check' and j.ref = gone.id::text)
  ${counted}`

/** Their work is over, and what names it holds what people wrote, such as the name of a branch. */
const jobs = `with refs (kind, ref) as (
    select 'host_event', id::text from host_events where ${isOurs}
    union all select 'status_comment', concat_ws(' ', run_id, repo_id, subject) from run_replies where ${isOurs}
    union all select 'review', concat_ws(' ', repo_id, subject) from awaited_reviews where ${isOurs}
    union all select 'fixer', pull_id::text from pull_agents where ${isOurs}
    union all select 'poll', $2::text),
  gone as (delete from jobs j using refs where j.organization_id = $1 and j.kind = refs.kind and j.ref = refs.ref returning 1)
  select count(*) as deleted from gone where $3 > 0`

/** The runs that were kept name none of its pull requests. */
const named = `with gone as (
    update runs set pull_id = null where ctid = any(array(
      select ctid from runs where ${isOurs} and pull_id is not null limit $3)) returning 1) ${counted}`

/** The newest first: a pull request that reverts another one names that. */
const newestPulls = `with gone as (
    delete from pulls where ctid = any(array(select ctid from pulls where ${isOurs} order by id desc limit $3)) returning 1) ${counted}`

const statements = [
  jobs,
  below('check_log_pieces', 'check_id', checks),
  below('sandbox_logs', 'sandbox_id', sandboxes),
  below('egress_requests', 'sandbox_id', sandboxes),
  checksWithLogs,
  below('notifications', 'pull_id', pulls),
  below('pull_comments', 'pull_id', pulls),
  below('pull_reviews', 'pull_id', pulls),
  below('pull_reviewers', 'pull_id', pulls),
  plain('pull_agents'),
  named,
  newestPulls,
  below('issue_comments', 'issue_id', issues),
  ...[
    'issues',
    'host_events',
    'host_polls',
    'host_requests',
    'run_replies',
    'thread_replies',
    'awaited_reviews',
    'repo_hooks',
    'setup_proposals',
    'snapshots',
    'secrets',
    'deploy_keys',
    'comparisons',
    'mcp_servers',
    'check_settings',
    'budgets',
    'idempotency_keys',
    'credentials',
  ].map(plain),
]
