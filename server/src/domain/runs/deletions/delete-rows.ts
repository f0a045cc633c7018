import { deletionLimits } from '#base/deletion-limits.ts'
import type { Db } from '#db/pool.ts'
import type { DeletedPart } from '#base/deleted-part.ts'
import { deleteInTurn } from './delete-in-turn.ts'

export type DeleteRows = {
  organizationId: number
  part: DeletedPart
  runIds: number[]
  /** When that was asked for: what a run that goes on has written since stays. */
  askedAt: Date
}

/**
 * Deletes the next rows of a part of these runs, a bounded number. Answers how many; 0 once none is left. Bytes in
 * the blob store lose their names with them, and are swept as soon as nothing else names them.
 */
export async function deleteRows(tx: Db, { organizationId, part, runIds, askedAt }: DeleteRows): Promise<number> {
  const deletions = statementsOf[part].map(({ text, isDated, rowsMax = deletionLimits.rowsMax }) => ({
    text,
    values: [organizationId, runIds, rowsMax, ...(isDated ? [askedAt] : [])],
  }))
  return deleteInTurn(tx, deletions)
}

type Statement = { text: string; isDated?: boolean; rowsMax?: number }

type Rows = {
  /** What tells a row from the others of its run, where the table has partitions. */
  key?: string
  condition?: string
  /** SQL for the digests of the blobs that the deleted rows named. */
  blobs?: string
}

/** Of rows with an `organization_id` and a `run_id`. */
function statement(table: string, { key, condition, blobs }: Rows = {}): string {
  const row = key ? `(organization_id, run_id, ${key})` : 'ctid'
  const chosen = `select ${key ? `organization_id, run_id, ${key}` : 'ctid'} from ${table}
    where organization_id = $1 and run_id = any($2)${condition ? ` and ${condition}` : ''} limit $3`
  // A row of a table with partitions is not told from others by its place.
  const which = key
    ? `organization_id = $1 and run_id = any($2) and ${row} in (${chosen})`
    : `ctid = any(array(${chosen}))`
  return `with gone as (delete from ${table} where ${which} returning *)${blobs ? `, ${unnamed(blobs)}` : ''}
    select count(*) as deleted from gone`
}

/**
 * Whoever is about to name bytes that are stored already has put off their sweep by an hour at most. So what is due later is due now, and
 * what is not is due within the hour.
 */
const unnamed = (blobs: string) => `due as (
    update blobs b set look_at = now() from (${blobs}) named (sha256)
    where b.organization_id = $1 and b.sha256 = named.sha256 and b.look_at > now() + interval '1 hour')`

const ofImages = `select i->>'sha256' from gone, json_array_elements(gone.images) i`
const ofBlob = 'select sha256 from gone'

/** Rows of sandboxes of these runs. */
const sandboxLogs = `with gone as (
    delete from sandbox_logs where ctid = any(array(
      select l.ctid from sandboxes s join sandbox_logs l on l.organization_id = s.organization_id and l.sandbox_id = s.id
      where s.organization_id = $1 and s.run_id = any($2) limit $3)) returning 1)
    select count(*) as deleted from gone`

const statusComments = `with asked as (
    select concat_ws(' ', run_id, repo_id, subject) as ref from run_replies where organization_id = $1 and run_id = any($2)),
  gone as (delete from jobs j using asked where j.organization_id = $1 and j.kind = 'status_comment' and j.ref = asked.ref returning 1)
  select count(*) as deleted from gone where $3 > 0`

/** What judges found of these runs goes with them, and a comparison with the last of its runs. */
const verdicts = statement('checks', {
  condition: 'comparison_id is not null',
  blobs: 'select log_sha256 as sha256 from gone where log_sha256 is not null',
})
const comparisons = `with gone as (
    delete from contestants where ctid = any(array(
      select ctid from contestants where organization_id = $1 and run_id = any($2) limit $3)) returning comparison_id),
  left_alone as (
    delete from comparisons k using gone where k.organization_id = $1 and k.id = gone.comparison_id
      and not exists (select from contestants t where t.organization_id = $1 and t.comparison_id = k.id and t.run_id <> all($2)))
  select count(*) as deleted from gone`

const log: Statement[] = [
  { text: statement('log_pages'), rowsMax: deletionLimits.largeRowsMax },
  { text: statement('log_archives', { blobs: ofBlob }) },
  { text: statement('log_entries', { key: 'seq' }) },
  { text: statement('steps', { key: 'step' }), rowsMax: deletionLimits.largeRowsMax },
  { text: sandboxLogs },
]

const ofLongText = `exists (select from blobs b where b.organization_id = artifacts.organization_id and b.sha256 = artifacts.sha256 and b.kind = 'logs')`

const statementsOf: Record<DeletedPart, Statement[]> = {
  runs: [
    ...log,
    { text: statement('artifacts', { blobs: ofBlob }) },
    { text: statement('checkpoints', { blobs: ofBlob }) },
    { text: statement('messages', { blobs: ofImages }), rowsMax: deletionLimits.largeRowsMax },
    { text: statusComments },
    { text: verdicts },
    { text: comparisons },
    ...[
      'questions',
      'model_calls',
      'effects',
      'egress_requests',
      'egress_counts',
      'sandboxes',
      'setup_proposals',
      'thread_replies',
      'run_replies',
      'notifications',
      'pull_agents',
      'outside_sessions',
      'idempotency_keys',
    ].map((table) => ({ text: statement(table) })),
    { text: statement('credentials', { condition: `kind = 'git'` }) },
  ],
  logs: [
    ...log,
    { text: statement('artifacts', { condition: ofLongText, blobs: ofBlob }) },
    { text: statement('pull_agents') },
  ],
  artifacts: [{ text: statement('artifacts', { condition: 'created_at < $4', blobs: ofBlob }), isDated: true }],
  egress: [{ text: statement('egress_requests', { condition: 'at < $4' }), isDated: true }],
  model_calls: [
    { text: statement('model_calls', { condition: 'began_at < $4 and ended_at is not null' }), isDated: true },
  ],
  repositories: [{ text: statement('pull_agents') }],
}
