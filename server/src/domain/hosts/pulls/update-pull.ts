import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { labelsOf } from '#domain/hosts/issues/issue.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { BranchStore, StoredRepository } from '#domain/repos/repos/repository-admin.ts'
import { updateHostPull } from './host-pull.ts'
import { getPull } from './get-pull.ts'
import { pullColumns, type Pull } from './pull.ts'
import type { PullHosts } from './pull-hosts.ts'
import { refusePull } from './refuse-pull.ts'
import { recordPullEvent } from './record-pull-event.ts'

export const pullChanges = ['open', 'closed', 'draft', 'ready_for_review'] as const

/** What is undefined stays as it is. */
export type UpdatePull = {
  organizationId: number
  pullId: number
  hosts: { git(repo: StoredRepository): BranchStore } & Pick<PullHosts, 'forge'>
  title: string | undefined
  body: string | undefined
  state: (typeof pullChanges)[number] | undefined
  /** Of the built-in host alone. */
  labels?: string[] | undefined
}

/**
 * A pull request that is opened again is about what its branch holds by then. Another host changes its own. Throws `pull_not_found`, `conflict` where
 * it is not in a state that allows this.
 */
export async function updatePull(db: Db, request: UpdatePull): Promise<Pull> {
  const { organizationId, pullId, hosts, title, body, state, labels } = request
  const known = await getPull(db, { organizationId, pullId })
  const repo = await getRepo(db, known)
  if (repo.host !== 'local') {
    if (labels) throw refusePull(pullId, 'has its labels on its own host, where they are set')
    const changes = {
      ...(title !== undefined && { title }),
      ...(body !== undefined && { body }),
      ...(state && { state }),
    }
    return updateHostPull(db, { repo, pull: known, forge: hosts.forge(repo), changes })
  }
  return inTransaction(db, async (tx) => {
    const pull = await maybeOne<Pull>(
      tx,
      `update pulls set title = coalesce($3, title), body = coalesce($4, body), labels = coalesce($5, labels), updated_at = now()
       where organization_id = $1 and id = $2 returning ${pullColumns}`,
      [organizationId, pullId, title, body, labels && labelsOf(labels)],
    )
    if (!pull) throw new AppError('pull_not_found')
    return state === undefined ? pull : changeState(tx, pull, { ...request, state })
  })
}

async function changeState(tx: Db, pull: Pull, { state, hosts }: UpdatePull & { state: string }): Promise<Pull> {
  const refuse = (why: string) => refusePull(pull.id, why)
  if (pull.merged) throw refuse('is merged')
  if (state === pull.state) return pull
  if (state === 'closed') return save(tx, { ...pull, state }, 'closed')
  if (state === 'open') return save(tx, await reopened(tx, pull, { hosts, refuse }), 'reopened')
  if (pull.state === 'closed') throw refuse('is closed')
  const draft = state === 'draft'
  return draft === pull.draft ? pull : save(tx, { ...pull, draft }, draft ? 'edited' : 'ready')
}

type Reopen = Pick<UpdatePull, 'hosts'> & { refuse: (why: string) => AppError }

async function reopened(tx: Db, pull: Pull, { hosts, refuse }: Reopen): Promise<Pull> {
  const { organizationId, repoId, headBranch } = pull
  // Pull requests of a repository are opened one after the other.
  await tx.query('select from repos where organization_id = $1 and id = $2 for no key update', [organizationId, repoId])
  const other = await maybeOne<{ number: number }>(
    tx,
    `select number from pulls where organization_id = $1 and repo_id = $2 and head_branch = $3 and state = 'open'`,
    [organizationId, repoId, headBranch],
  )
  if (other) throw refuse(`cannot be opened again: number ${other.number} is open for its branch`)
  const repo = await getRepo(tx, { organizationId, repoId })
  const { branches } = await hosts.git(repo).mirror(repo)
  const headCommit = branches.get(headBranch)
  if (headCommit === undefined) throw refuse(`cannot be opened again: there is no branch ${headBranch} any more`)
  return { ...pull, state: 'open', headCommit }
}

async function save(
  tx: Db,
  { organizationId, id, state, draft, headCommit }: Pull,
  action: 'closed' | 'reopened' | 'ready' | 'edited',
): Promise<Pull> {
  const saved = await one<Pull>(
    tx,
    `update pulls set state = $3, draft = $4, head_commit = $5 where organization_id = $1 and id = $2 returning ${pullColumns}`,
    [organizationId, id, state, draft, headCommit],
  )
  await recordPullEvent(tx, saved, action)
  return saved
}
