import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { hostActor } from '#domain/accounts/users/host-actor.ts'
import { takeNumber } from '#domain/repos/repos/take-number.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import { pullColumns, pullUrl, type Pull } from './pull.ts'
import { recordPullEvent } from './record-pull-event.ts'

export type OpenPull = {
  organizationId: number
  repoId: number
  /** Null: a person opens it. */
  runId: number | null
  /** Who that is. */
  userId?: number | null
  title: string
  body: string
  headBranch: string
  baseBranch: string
  headCommit: string
  draft?: boolean
  /** The pull request that it undoes. */
  reverts?: number
  /** By which a worker holds the run; nothing is opened once it does not. Left out when no worker is asking. */
  leaseId?: string
  /** Where people reach the service. */
  publicUrl: string
}

export type OpenedPull = { pull: Omit<Pull, 'url'> & { url: string }; created: boolean }

/**
 * Opens a pull request for a run. A branch has one open at most: if it has, that one moves on to the commit, and stays as
 * it is. Throws `LeaseLost`, `repo_not_found`.
 */
export async function openPull(db: Db, request: OpenPull): Promise<OpenedPull> {
  return inTransaction(db, async (tx) => {
    await checkLease(tx, request)
    await lockRepo(tx, request)
    const open = await moveOpenPull(tx, request)
    const pull = open ?? (await insert(tx, request))
    if (!open) await recordPullEvent(tx, pull, 'opened')
    return { pull: { ...pull, url: pullUrl(request.publicUrl, pull) }, created: !open }
  })
}

/** Under a lock, so that nobody takes the run over before the pull request is there. */
async function checkLease(tx: Db, { organizationId, runId, leaseId }: OpenPull): Promise<void> {
  if (leaseId === undefined || runId === null) return
  const held = await maybeOne(
    tx,
    `select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel' for share`,
    [organizationId, runId, leaseId],
  )
  if (!held) throw new LeaseLost(runId)
}

/** Numbers have no gaps and no doubles, so a repository's pull requests are opened one after the other. */
async function lockRepo(tx: Db, { organizationId, repoId }: OpenPull): Promise<void> {
  const repo = await maybeOne(tx, 'select from repos where organization_id = $1 and id = $2 for no key update', [
    organizationId,
    repoId,
  ])
  if (!repo) throw new AppError('repo_not_found')
}

async function moveOpenPull(
  tx: Db,
  { organizationId, repoId, headBranch, headCommit }: OpenPull,
): Promise<Pull | undefined> {
  return maybeOne<Pull>(
    tx,
    `update pulls set head_commit = $4
     where organization_id = $1 and repo_id = $2 and head_branch = $3 and state = 'open' returning ${pullColumns}`,
    [organizationId, repoId, headBranch, headCommit],
  )
}

async function insert(tx: Db, request: OpenPull): Promise<Pull> {
  const {
    organizationId,
    repoId,
    runId,
    title,
    body,
    headBranch,
    baseBranch,
    headCommit,
    draft = false,
    reverts = null,
    userId = null,
  } = request
  const number = await takeNumber(tx, { organizationId, repoId })
  return one<Pull>(
    tx,
    `insert into pulls (organization_id, repo_id, number, run_id, title, body, head_branch, base_branch, head_commit, reverts,
       draft, author)
     values ($1, $2, $9, $3, $4, $5, $6, $7, $8, $10, $11, (select (${hostActor})::jsonb from users u where u.id = $12))
     returning ${pullColumns}`,
    [organizationId, repoId, runId, title, body, headBranch, baseBranch, headCommit, number, reverts, draft, userId],
  )
}
