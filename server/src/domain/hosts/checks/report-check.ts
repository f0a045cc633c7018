import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { storeBlob, type BlobSink } from '#domain/runs/blobs/store-blob.ts'
import { checkColumns, type Check, type CheckPlace } from './check.ts'
import { recordChecksChanged } from './record-checks-changed.ts'

export type ReportCheck = CheckPlace &
  Pick<Check, 'name' | 'app' | 'status' | 'conclusion'> & {
    /** Reports of one key are one check of the commit. */
    key: string
    /** What is undefined stays as it was, until the check begins anew. */
    url: string | undefined
    summary: string | undefined
    /** Masked; `blobs` takes it. */
    log: Uint8Array | undefined
    blobs: BlobSink
  }

/**
 * Says how a check stands that somebody else runs; one of the same key is brought up to date. Throws `repo_not_found`, and
 * `conflict` where the commit has as many as it may have.
 */
export async function reportCheck(db: Db, report: ReportCheck): Promise<Check> {
  const { organizationId, log, blobs } = report
  const stored =
    log && log.length > 0 ? await storeBlob(db, blobs, { organizationId, bytes: log, kind: 'logs' }) : undefined
  return inTransaction(db, async (tx) => {
    await requireRoom(tx, report)
    const check = await save(tx, report, stored?.sha256)
    await recordChecksChanged(tx, report)
    return check
  })
}

/** Reports of one repository are stored one after the other. */
async function requireRoom(tx: Db, { organizationId, repoId, commit, key }: ReportCheck): Promise<void> {
  const repo = await maybeOne(tx, 'select from repos where organization_id = $1 and id = $2 for no key update', [
    organizationId,
    repoId,
  ])
  if (!repo) throw new AppError('repo_not_found')
  const { others } = await one<{ others: number }>(
    tx,
    'select count(*) as others from checks where organization_id = $1 and repo_id = $2 and commit = $3 and key <> $4 and comparison_id is null',
    [organizationId, repoId, commit, key],
  )
  if (others >= limits.checksPerCommitMax)
    throw new AppError('conflict', { message: `Commit ${commit} already has ${others} checks, the maximum.` })
}

async function save(tx: Db, report: ReportCheck, sha256: string | undefined): Promise<Check> {
  const { organizationId, repoId, commit, key, name, app, status, conclusion, url, summary } = report
  // What it said of itself the last time is not said of this time.
  const kept = (column: string) =>
    `case when c.status = 'completed' and excluded.status <> 'completed' then excluded.${column} else coalesce(excluded.${column}, c.${column}) end`
  return one<Check>(
    tx,
    `insert into checks as c (organization_id, repo_id, commit, key, name, app, status, conclusion, url, summary, log_sha256, started_at, completed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
       case when $7 <> 'queued' then now() end, case when $7 = 'completed' then now() end)
     on conflict (organization_id, repo_id, commit, key) do update set name = excluded.name, status = excluded.status,
       conclusion = excluded.conclusion, url = ${kept('url')}, summary = ${kept('summary')}, log_sha256 = ${kept('log_sha256')},
       started_at = case when c.status = 'in_progress' then coalesce(c.started_at, excluded.started_at) else excluded.started_at end,
       completed_at = excluded.completed_at
     returning ${checkColumns}`,
    [organizationId, repoId, commit, key, name, app, status, conclusion, url, summary, sha256],
  )
}
