import { deletionLimits } from '#base/deletion-limits.ts'
import type { Db } from '#db/pool.ts'
import { deleteInTurn } from '#domain/runs/deletions/delete-in-turn.ts'

export type DeleteOrganizationRows = { organizationId: number }

/** Deletes the next rows of an organization of which no run is left, a bounded number; all but those of its blobs. Answers how many. */
export async function deleteOrganizationRows(tx: Db, { organizationId }: DeleteOrganizationRows): Promise<number> {
  const values = [organizationId, deletionLimits.rowsMax]
  return deleteInTurn(
    tx,
    organizationTables.map((table) => ({ text: statement(table), values })),
  )
}

/** Where the table has partitions, a row is told from others by its key. */
const keys: Readonly<Record<string, string>> = { log_entries: 'run_id, seq', steps: 'run_id, step' }

/** The newest first, where a row may name an older one. */
function statement(table: string): string {
  const key = keys[table]
  const which = key
    ? `organization_id = $1 and (${key}) in (select ${key} from ${table} where organization_id = $1 limit $2)`
    : `ctid = any(array(select ctid from ${table} where organization_id = $1 ${table === 'pulls' ? 'order by id desc ' : ''}limit $2))`
  const extra =
    table === 'credentials'
      ? ', windows as (delete from rate_windows w using gone where w.credential_id = (gone.row).id)'
      : ''
  return `with gone as (delete from ${table} where ${which} returning ${table} as row)${extra} select count(*) as deleted from gone`
}

/** Every table with rows of organizations but `blobs`; what refers to another one stands before it. */
export const organizationTables = [
  'slack_tokens',
  'outside_sessions',
  'memberships',
  'host_accounts',
  'inbox_settings',
  'views',
  'jobs',
  'stream_tickets',
  'idempotency_keys',
  'webhook_deliveries',
  'notifications',
  'events',
  'egress_requests',
  'egress_counts',
  'sandbox_logs',
  'sandboxes',
  'check_log_pieces',
  'checks',
  'pull_agents',
  'pull_reviewers',
  'pull_comments',
  'pull_reviews',
  'pulls',
  'issue_comments',
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
  'check_settings',
  'deploy_keys',
  'mcp_servers',
  'secrets',
  'budgets',
  'artifacts',
  'checkpoints',
  'effects',
  'log_archives',
  'log_archiving',
  'log_entries',
  'log_pages',
  'messages',
  'model_calls',
  'questions',
  'steps',
  'run_heads',
  'contestants',
  'comparisons',
  'runs',
  'deletions',
  'deleted_runs',
  'retention',
  'repos',
  'integrations',
  'data_keys',
  'member_model_keys',
  'model_providers',
  'credentials',
  'worker_tokens',
  'workers',
  'usage_days',
  'audit_entries',
  'queue_changes',
  'run_slots',
  'storage',
] as const
